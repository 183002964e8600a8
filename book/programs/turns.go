//go:build ignore

// Turns runs three goroutines that take turns.
package main

import (
	"fmt"
	"runtime"
)

func count(name string, n int) {
	for i := 1; i <= n; i++ {
		fmt.Println(name, i)
		runtime.Gosched()
	}
}

func main() {
	go count("a", 3)
	go count("b", 2)
	for runtime.NumGoroutine() > 1 {
		runtime.Gosched()
	}
	fmt.Println("both are done")
}
