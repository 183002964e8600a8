package main

import (
	"runtime"
	"sync"
)

// Many goroutines work a little, and let the next one run. What they do is their
// own; all that they share is the scheduler.
func main() {
	var wg sync.WaitGroup
	for range 256 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for range 100 {
				for i := 0; i < 500; i++ {
				}
				runtime.Gosched()
			}
		}()
	}
	wg.Wait()
}
