//go:build ignore

// Late sleeps for 1 ms, so many times, beside a goroutine that computes for ever on the only P,
// and prints after how many microseconds it went on each time. With the argument calls that one
// calls a function in its loop.
package main

import (
	"fmt"
	"os"
	"runtime"
	"strconv"
	"time"
)

//go:noinline
func step() {}

func main() {
	runtime.GOMAXPROCS(1)
	calls := os.Args[1] == "calls"
	n, _ := strconv.Atoi(os.Args[2])
	go func() {
		for calls {
			step()
		}
		for {
		}
	}()
	for i := 0; i < n; i++ {
		began := time.Now()
		time.Sleep(time.Millisecond)
		fmt.Println(time.Since(began).Microseconds())
	}
}
