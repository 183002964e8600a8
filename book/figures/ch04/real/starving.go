//go:build ignore

// Starving measures how long a goroutine waits for a mutex that another one has
// nearly all the time.
package main

import (
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

func main() {
	var mu sync.Mutex
	var turns atomic.Int64
	go func() {
		for {
			mu.Lock()
			for begin := time.Now(); time.Since(begin) < 100*time.Microsecond; {
			}
			turns.Add(1)
			mu.Unlock()
		}
	}()
	const rounds = 101
	var waits []time.Duration
	var meanwhile int64
	for range rounds {
		time.Sleep(time.Millisecond)
		begin, before := time.Now(), turns.Load()
		mu.Lock()
		waits = append(waits, time.Since(begin).Round(time.Microsecond))
		meanwhile += turns.Load() - before
		mu.Unlock()
	}
	slices.Sort(waits)
	fmt.Println("waited, the median of", rounds, "times:", waits[rounds/2])
	fmt.Println("turns of the other one meanwhile, on average:", meanwhile/rounds)
}
