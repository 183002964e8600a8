//go:build ignore

// Hog starts two goroutines that compute for as long as its argument says, in steps of some
// nanoseconds, and never wait. Each step is a call.
package main

import (
	"fmt"
	"os"
	"runtime"
	"strconv"
)

//go:noinline
func step(x int) int { return (x*1103515245 + 12345) & 0x7fffffff }

func hog(steps int) int {
	x := 1
	for range steps {
		x = step(x)
	}
	return x
}

func main() {
	steps := 4_000_000
	if len(os.Args) > 1 {
		steps, _ = strconv.Atoi(os.Args[1])
	}
	runtime.Gosched()
	done := make(chan int)
	for range 2 {
		go func() { done <- hog(steps) }()
	}
	fmt.Println(<-done + <-done)
}
