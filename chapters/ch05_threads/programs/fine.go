//go:build ignore

// Fine has many goroutines that work a little and let the next one run. What they
// work on is their own; all that they share is the scheduler.
package main

import (
	"runtime"
	"sync"
)

func main() {
	var wg sync.WaitGroup
	for range 256 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for range 100 {
				for i := 0; i < 700; i++ {
				}
				runtime.Gosched()
			}
		}()
	}
	wg.Wait()
}
