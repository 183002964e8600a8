//go:build ignore

// Points does what makes another goroutine run, and much that does not.
package main

import (
	"fmt"
	"runtime"
	"sync"
	"time"
)

func main() {
	var wg sync.WaitGroup
	var mu sync.Mutex
	sum := 0
	box := make(chan int, 4)
	stop := make(chan bool)

	for i := range 3 {
		wg.Add(1)
		go func() { // a new goroutine; main goes on
			defer wg.Done()
			mu.Lock()
			sum += i
			mu.Unlock()
			box <- i // there is room, or main waits: the sender goes on
			select {
			case <-stop: // waits
			case v := <-box: // or takes what is there
				box <- v
			}
		}()
	}
	runtime.Gosched()            // lets go
	time.Sleep(time.Microsecond) // waits
	close(stop)                  // makes those that wait ready, and goes on
	wg.Wait()                    // waits
	fmt.Println("sum", sum, "box", len(box))
}
