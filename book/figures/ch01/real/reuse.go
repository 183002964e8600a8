//go:build ignore

// Reuse asks the real runtime how many goroutines it has created, and how much
// memory it holds for their stacks.
package main

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"sync"
)

func main() {
	debug.SetGCPercent(-1) // collections only when asked for
	tell("at the beginning")
	for range 1000 {
		start(10)
	}
	tell("10,000, ten at a time")
	start(10_000)
	tell("10,000 at once, ended")
	runtime.GC()
	tell("after a collection")
}

// start runs n goroutines that are alive at the same time, and waits for them.
func start(n int) {
	var all, ended sync.WaitGroup
	all.Add(n)
	ended.Add(n)
	for range n {
		go func() {
			defer ended.Done()
			all.Done()
			all.Wait()
		}()
	}
	ended.Wait()
}

func tell(when string) {
	sample := []metrics.Sample{
		{Name: "/sched/goroutines-created:goroutines"},
		{Name: "/memory/classes/heap/stacks:bytes"},
	}
	metrics.Read(sample)
	fmt.Printf("%-22s %6d created, %6d KiB of stacks\n", when, sample[0].Value.Uint64(), sample[1].Value.Uint64()/1024)
}
