package main

import "fmt"

type T struct {
	a [10000]int
	z int
}

func main() {
	var p *T
	fmt.Println("x")
	p.z = 1
}
