package main

import (
	"fmt"
	"runtime"
)

type t struct{ n int }

func (x *t) inc()    { x.n++ }
func (x t) get() int { return x.n }

func main() {
	var p *t
	fmt.Println("before")
	go p.inc()
	fmt.Println("after")
	runtime.Gosched()
	fmt.Println("not reached")
}
