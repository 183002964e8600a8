package main

import "fmt"

func main() {
	var p *struct{}
	x := *p
	fmt.Println(x)
}
