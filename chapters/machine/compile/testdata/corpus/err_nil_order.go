package main

import "fmt"

type T struct{ a, b int }

func f() int { fmt.Println("f"); return 1 }

func main() {
	var p *T
	p.b = f()
}
