// Slices measures how long the time slices of two goroutines are that compute on one P. Both
// write their number into one variable; whoever finds another number there has just begun.
//
//	go run ./book/figures/ch12/slices
package main

import (
	"fmt"
	"runtime"
	"slices"
	"sync/atomic"
	"time"
)

const lasts = 3 * time.Second

func main() {
	runtime.GOMAXPROCS(1)
	var running atomic.Int32
	began := time.Now()
	var begins []time.Time // of slices; there is one P, so one of the two writes at a time
	done := make(chan bool)
	for id := range int32(2) {
		go func() {
			for time.Since(began) < lasts {
				if running.Load() != id+1 {
					running.Store(id + 1)
					begins = append(begins, time.Now())
				}
			}
			done <- true
		}()
	}
	<-done
	<-done
	var took []time.Duration
	for i := range len(begins) - 1 {
		took = append(took, begins[i+1].Sub(begins[i]))
	}
	slices.Sort(took)
	if len(took) < 10 {
		fmt.Println("the two did not take turns")
		return
	}
	at := func(percent int) float64 {
		return float64(took[(len(took)-1)*percent/100].Microseconds()) / 1000
	}
	fmt.Printf("%d slices; one in ten is shorter than %.1f ms, half of them than %.1f ms, nine in ten than %.1f ms\n", len(took), at(10), at(50), at(90))
}
