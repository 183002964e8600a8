package main

import "fmt"

type T struct{ a, b int }

func (t T) get() int { return t.b }

func main() {
	var p *T
	fmt.Println(p.get())
}
