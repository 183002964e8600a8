//go:build ignore

package main

import (
	"fmt"
	"os"
	"strconv"
)

// step is something to compute. It calls nothing, but its prologue looks at the guard.
//
//go:noinline
func step(x int) int { return (x*1103515245 + 12345) & 0x7fffffff }

func work(n int) int {
	x := 1
	for range n {
		x = step(x)
	}
	return x
}

// main starts goroutines that compute, and never wait.
func main() {
	n := 1_000_000
	if len(os.Args) > 1 {
		n, _ = strconv.Atoi(os.Args[1])
	}
	done := make(chan int)
	for range 2 {
		go func() { done <- work(n) }()
	}
	fmt.Println(<-done + <-done)
}
