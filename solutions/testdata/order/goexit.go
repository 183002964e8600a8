// Goexit runs deferred calls, and another one goes on.
package main

import (
	"fmt"
	"runtime"
	"sync"
)

func main() {
	var wg sync.WaitGroup
	for i := range 4 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			defer fmt.Println("deferred", i)
			if i%2 == 0 {
				runtime.Goexit()
			}
			runtime.Gosched()
			fmt.Println("ends", i)
		}()
	}
	wg.Wait()
}
