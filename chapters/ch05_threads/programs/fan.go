package main

import (
	"fmt"
	"sync"
)

// Many goroutines wait for each other in many ways, and the result is the same
// whoever is first.
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
