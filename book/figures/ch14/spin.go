//go:build ignore

// Spin sleeps for 1 ms, five times, beside a goroutine that computes for ever. With the
// argument calls that one calls a function in its loop.
package main

import (
	"fmt"
	"os"
	"time"
)

//go:noinline
func step() {}

func main() {
	calls := len(os.Args) > 1 && os.Args[1] == "calls"
	go func() {
		for calls {
			step()
		}
		for {
		}
	}()
	for i := 1; i <= 5; i++ {
		time.Sleep(time.Millisecond)
		fmt.Println("tick", i)
	}
}
