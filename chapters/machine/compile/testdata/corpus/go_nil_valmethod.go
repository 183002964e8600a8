package main

import (
	"fmt"
	"runtime"
)

type t struct{ n int }

func (x t) get() int { return x.n }

func main() {
	var p *t
	fmt.Println("before")
	go p.get()
	fmt.Println("after")
	runtime.Gosched()
}
