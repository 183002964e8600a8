package main

import "fmt"

type I struct{ a, b int }
type T struct {
	a  int
	in I
}

func main() {
	var p *T
	q := &p.in.b
	fmt.Println("not reached")
	println(*q)
}
