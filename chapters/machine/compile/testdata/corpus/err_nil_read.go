package main

import "fmt"

type T struct{ a, b int }

func main() {
	fmt.Println("before")
	var p *T
	fmt.Println(p.b)
}
