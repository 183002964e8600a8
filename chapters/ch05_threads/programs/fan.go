//go:build ignore

// Fan lets goroutines wait for each other in many ways: a ring of channels, select, a
// mutex, a WaitGroup. The result is the same whoever is first.
package main

import (
	"fmt"
	"sync"
)

func main() {
	var mu sync.Mutex
	var wg sync.WaitGroup
	total := 0
	done := make(chan bool)
	ring := make([]chan int, 8)
	for i := range ring {
		ring[i] = make(chan int)
	}
	for i := range ring {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for {
				select {
				case v := <-ring[i]:
					mu.Lock()
					total += v
					mu.Unlock()
					if v == 0 {
						close(done)
						return
					}
					ring[(i+1)%len(ring)] <- v - 1
				case <-done:
					return
				}
			}
		}()
	}
	ring[0] <- 40
	wg.Wait()
	fmt.Println("total", total)
}
