//go:build ignore

// The world is stopped n times beside a goroutine that computes, and calls now and then. It
// prints the percentile of what one stop takes.
package main

import (
	"fmt"
	"os"
	"runtime"
	"sort"
	"strconv"
	"time"
)

//go:noinline
func step(x int) int { return x*7919 + 1 }

func main() {
	n, _ := strconv.Atoi(os.Args[1])
	percent, _ := strconv.Atoi(os.Args[2])
	go func() {
		for x := 1; ; {
			x = step(x)
		}
	}()
	runtime.Gosched()
	var stats runtime.MemStats
	stops := make([]int, n)
	for i := range stops {
		began := time.Now()
		runtime.ReadMemStats(&stats)
		stops[i] = int(time.Since(began))
	}
	sort.Ints(stops)
	fmt.Println(stops[(n-1)*percent/100])
}
