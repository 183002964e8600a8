//go:build ignore

// Forty goroutines sleep, on the timers of several Ps, while all Ps but one go away.
package main

import (
	"fmt"
	"runtime"
	"sync"
	"time"
)

func main() {
	var all sync.WaitGroup
	for i := range 40 {
		all.Add(1)
		go func() {
			defer all.Done()
			time.Sleep(time.Duration(5+i%3) * time.Millisecond)
		}()
	}
	time.Sleep(time.Millisecond)
	runtime.GOMAXPROCS(1)
	all.Wait()
	fmt.Println("all 40 are awake")
}
