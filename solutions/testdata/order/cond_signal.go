// Signal wakes who has waited longest.
package main

import (
	"fmt"
	"runtime"
	"sync"
)

func main() {
	var mu sync.Mutex
	c := sync.NewCond(&mu)
	for i := range 5 {
		go func() {
			mu.Lock()
			fmt.Println("waits", i)
			c.Wait()
			fmt.Println("woken", i)
			mu.Unlock()
		}()
	}
	runtime.Gosched()
	for i := range 5 {
		mu.Lock()
		fmt.Println("signal", i)
		c.Signal()
		mu.Unlock()
		if i%2 == 1 {
			runtime.Gosched()
		}
	}
	runtime.Gosched()
}
