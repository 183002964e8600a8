// Broadcast wakes all.
package main

import (
	"fmt"
	"runtime"
	"sync"
)

func main() {
	var mu sync.Mutex
	c := sync.NewCond(&mu)
	ready := false
	var wg sync.WaitGroup
	for i := range 6 {
		wg.Go(func() {
			mu.Lock()
			for !ready {
				c.Wait()
			}
			fmt.Println("woken", i)
			mu.Unlock()
		})
	}
	runtime.Gosched()
	mu.Lock()
	ready = true
	c.Broadcast()
	fmt.Println("broadcast")
	mu.Unlock()
	wg.Wait()
}
