//go:build ignore

// Next makes a goroutine, which stands in runnext then, and computes without a call. It
// tells how long the goroutine waits, at best, with one P and with two.
package main

import (
	"fmt"
	"runtime"
	"sync/atomic"
	"time"
)

const tries = 51

func main() {
	for procs := 1; procs <= 2; procs++ {
		runtime.GOMAXPROCS(procs)
		best := wait()
		for range tries - 1 {
			best = min(best, wait())
		}
		fmt.Printf("GOMAXPROCS %d: it begins after %v, the shortest wait of %d\n", procs, best.Round(time.Microsecond/10), tries)
	}
}

// wait is how long a goroutine waits beside one that computes.
func wait() time.Duration {
	var began atomic.Int64
	start := time.Now()
	go func() { began.Store(int64(time.Since(start))) }()
	for began.Load() == 0 {
	}
	return time.Duration(began.Load())
}
