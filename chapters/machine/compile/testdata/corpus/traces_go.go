package main

import (
	"fmt"
	"runtime"
)

type w struct{ n int }

func (x *w) run(a, b int) {
	x.step(a / b)
}

func (x *w) step(int) {}

func main() {
	fmt.Println("go")
	v := &w{}
	go v.run(1, 1)
	runtime.Gosched()
	func() {
		go v.run(1,
			0)
	}()
	for {
		runtime.Gosched()
	}
}
