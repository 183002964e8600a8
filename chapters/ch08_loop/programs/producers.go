//go:build ignore

// Producers fills the global queue in two ways: one goroutine starts more than a P has
// room for, and it yields.
package main

import (
	"fmt"
	"runtime"
)

func main() {
	ran := 0
	for range 300 {
		go func() { ran++ }()
	}
	for ran < 300 {
		runtime.Gosched()
	}
	fmt.Println(ran, "have run")
}
