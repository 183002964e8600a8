// A channel as a semaphore of two.
package main

import (
	"fmt"
	"runtime"
	"sync"
)

func main() {
	sem := make(chan bool, 2)
	var wg sync.WaitGroup
	for i := range 6 {
		wg.Go(func() {
			sem <- true
			fmt.Println("in", i)
			runtime.Gosched()
			fmt.Println("out", i)
			<-sem
		})
	}
	wg.Wait()
}
