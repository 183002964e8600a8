//go:build ignore

package main

import (
	"fmt"
	"os"
	"runtime"
	"time"
)

// step calls nothing for half a million rounds, which is some milliseconds on a slow machine.
//
//go:noinline
func step(n int) int {
	for k := range 500_000 {
		n += k & 3
	}
	return n
}

// forever computes, with calls or without any.
func forever(calls bool) {
	for n := 0; ; {
		if calls {
			n = step(n)
		}
	}
}

// Others compute, and main stops the world again and again: ReadMemStats does.
func main() {
	for range 3 {
		go forever(len(os.Args) > 1)
	}
	const times = 20
	var longest, sum time.Duration
	var stats runtime.MemStats
	for range times {
		time.Sleep(300 * time.Microsecond)
		began := time.Now()
		runtime.ReadMemStats(&stats)
		took := time.Since(began)
		longest, sum = max(longest, took), sum+took
	}
	fmt.Println("longest", longest.Microseconds(), "µs, on average", sum.Microseconds()/times, "µs")
}
