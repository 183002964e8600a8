//go:build ignore

// Stop stops the world again and again beside a goroutine that computes on another P, and prints
// how many microseconds that took each time, as the runtime has measured it: from the decision
// until every P has stopped. The runtime keeps them in classes; what is printed is the upper end
// of each.
package main

import (
	"fmt"
	"os"
	"runtime"
	"runtime/metrics"
	"strconv"
	"time"
)

func main() {
	n, _ := strconv.Atoi(os.Args[1])
	runtime.GOMAXPROCS(2)
	go func() {
		for {
		}
	}()
	sample := []metrics.Sample{{Name: "/sched/pauses/stopping/other:seconds"}}
	metrics.Read(sample)
	before := append([]uint64(nil), sample[0].Value.Float64Histogram().Counts...)
	for i := range n {
		time.Sleep(time.Millisecond)
		runtime.GOMAXPROCS(3 - i%2)
	}
	metrics.Read(sample)
	h := sample[0].Value.Float64Histogram()
	for i, count := range h.Counts {
		for range count - before[i] {
			fmt.Println(h.Buckets[i+1] * 1e6)
		}
	}
}
