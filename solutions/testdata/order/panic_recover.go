// A deferred call recovers, and the goroutine goes on in its turn.
package main

import (
	"fmt"
	"runtime"
	"sync"
)

func main() {
	var wg sync.WaitGroup
	for i := range 4 {
		wg.Go(func() {
			defer func() {
				fmt.Println(i, recover())
				runtime.Gosched()
				fmt.Println(i, "after")
			}()
			if i%2 == 0 {
				panic(i)
			}
		})
	}
	wg.Wait()
}
