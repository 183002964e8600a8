//go:build ignore

// Hold changes GOMAXPROCS while another goroutine computes and never calls the scheduler.
package main

import (
	"fmt"
	"runtime"
	"sync/atomic"
)

const loops = 10_000_000

var computes, ended atomic.Bool

func compute() {
	computes.Store(true)
	x := 0
	for i := range loops {
		x += i
	}
	ended.Store(true)
}

func main() {
	go compute()
	for !computes.Load() {
		runtime.Gosched()
	}
	runtime.GOMAXPROCS(runtime.GOMAXPROCS(0) + 1)
	fmt.Println("GOMAXPROCS has changed; the loop had ended by then:", ended.Load())
}
