//go:build ignore

// The world is stopped n times, beside a goroutine that computes and yields now and then: so
// that it stops in every version.
package main

import (
	"os"
	"runtime"
	"strconv"
)

func main() {
	n, _ := strconv.Atoi(os.Args[1])
	go func() {
		for i := 0; ; i++ {
			if i%1000 == 0 {
				runtime.Gosched()
			}
		}
	}()
	runtime.Gosched()
	var stats runtime.MemStats
	for i := 0; i < n; i++ {
		runtime.ReadMemStats(&stats)
	}
}
