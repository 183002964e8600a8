// A mutex is held across yields.
package main

import (
	"fmt"
	"runtime"
	"sync"
)

func main() {
	var mu sync.Mutex
	var wg sync.WaitGroup
	for i := range 4 {
		wg.Go(func() {
			for k := range 3 {
				mu.Lock()
				fmt.Println("in", i, k)
				runtime.Gosched()
				fmt.Println("out", i, k)
				mu.Unlock()
			}
		})
	}
	wg.Wait()
}
