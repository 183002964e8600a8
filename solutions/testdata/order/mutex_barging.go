// Who unlocks and locks again is faster than who was woken.
package main

import (
	"fmt"
	"sync"
)

func main() {
	var mu sync.Mutex
	var wg sync.WaitGroup
	mu.Lock()
	for i := range 3 {
		wg.Go(func() {
			mu.Lock()
			fmt.Println("has it", i)
			mu.Unlock()
			mu.Lock()
			fmt.Println("has it again", i)
			mu.Unlock()
		})
	}
	ready := make(chan bool)
	go func() { ready <- true }()
	<-ready
	mu.Unlock()
	wg.Wait()
}
