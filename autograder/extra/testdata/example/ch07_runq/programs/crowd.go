//go:build ignore

// Crowd spawns a thousand goroutines, and adds up their numbers.
package main

import (
	"fmt"
	"sync"
)

func main() {
	var (
		mu  sync.Mutex
		sum int
		wg  sync.WaitGroup
	)
	for i := range 1000 {
		wg.Go(func() {
			mu.Lock()
			sum += i
			mu.Unlock()
		})
	}
	wg.Wait()
	fmt.Println("sum", sum)
}
