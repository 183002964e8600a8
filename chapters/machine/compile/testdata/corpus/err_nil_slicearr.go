package main

import "fmt"

func main() {
	var p *[4]int
	s := p[:]
	fmt.Println("not reached", len(s))
}
