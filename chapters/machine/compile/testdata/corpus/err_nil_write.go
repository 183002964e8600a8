package main

type T struct{ a, b int }

func main() {
	var p *T
	p.b = 1
}
