//go:build ignore

package main

import (
	"fmt"
	"runtime"
	"sync"
)

var (
	mu   sync.Mutex
	left = 3
	sink int
)

// guest wants to have the mutex three times.
func guest() {
	for range 3 {
		mu.Lock()
		left--
		mu.Unlock()
	}
}

func main() {
	go guest()
	for {
		mu.Lock()
		for i := range 20_000 {
			sink += i
		}
		runtime.Gosched() // whoever comes now finds it locked
		over := left == 0
		mu.Unlock()
		if over {
			fmt.Println("the guest was in three times")
			return
		}
	}
}
