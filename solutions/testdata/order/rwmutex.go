// Readers and writers.
package main

import (
	"fmt"
	"runtime"
	"sync"
)

func main() {
	var mu sync.RWMutex
	var wg sync.WaitGroup
	for i := range 6 {
		wg.Go(func() {
			if i%3 == 0 {
				mu.Lock()
				fmt.Println("writes", i)
				runtime.Gosched()
				fmt.Println("has written", i)
				mu.Unlock()
				return
			}
			mu.RLock()
			fmt.Println("reads", i)
			runtime.Gosched()
			fmt.Println("has read", i)
			mu.RUnlock()
		})
	}
	wg.Wait()
}
