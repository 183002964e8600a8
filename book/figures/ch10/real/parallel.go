//go:build ignore

// Parallel ends only if two goroutines run at the same time: each counts itself, and waits
// in a loop without a call until both have done so.
package main

import (
	"fmt"
	"runtime"
	"sync/atomic"
)

func main() {
	const ps = 2
	runtime.GOMAXPROCS(ps)
	var counted atomic.Int32
	done := make(chan bool)
	for range ps {
		go func() {
			if counted.Add(1) == ps {
				done <- true
				return
			}
			for counted.Load() != ps {
			}
		}()
	}
	<-done
	fmt.Println("all Ps ran one of them at the same time")
}
