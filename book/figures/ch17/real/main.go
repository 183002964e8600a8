// Real measures how long runtime.ReadMemStats takes, which stops the world, alone and beside a
// goroutine that calls nothing.
//
//	go run ./book/figures/ch17/real
package main

import (
	"fmt"
	"runtime"
	"slices"
	"time"
)

const times = 400

// measure stops the world again and again, and returns how long it took, sorted.
func measure() []time.Duration {
	var took []time.Duration
	var stats runtime.MemStats
	for range times {
		time.Sleep(200 * time.Microsecond)
		began := time.Now()
		runtime.ReadMemStats(&stats)
		took = append(took, time.Since(began))
	}
	slices.Sort(took)
	return took
}

func main() {
	runtime.GOMAXPROCS(2)
	fmt.Println("beside  half of them  nine in ten  99 in 100")
	for _, beside := range []string{"nothing", "for {}"} {
		if beside == "for {}" {
			go func() {
				for {
				}
			}()
		}
		took := measure()
		at := func(percent int) float64 {
			return float64(took[(len(took)-1)*percent/100].Nanoseconds()) / 1000
		}
		fmt.Printf("%-7s  %.1f µs  %.1f µs  %.1f µs\n", beside, at(50), at(90), at(99))
	}
}
