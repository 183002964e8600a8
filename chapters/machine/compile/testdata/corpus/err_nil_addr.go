package main

import "fmt"

type T struct{ a, b int }

func main() {
	var p *T
	q := &p.b
	fmt.Println("not reached")
	*q = 1
}
