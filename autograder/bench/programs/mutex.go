//go:build ignore

// Four goroutines lock a mutex n times in all; who has it yields, so that the
// others find it locked.
package main

import (
	"os"
	"runtime"
	"strconv"
	"sync"
)

func main() {
	n, _ := strconv.Atoi(os.Args[1])
	var mu sync.Mutex
	var wg sync.WaitGroup
	count := 0
	for g := 0; g < 4; g++ {
		wg.Add(1)
		go func() {
			for i := 0; i < n/4; i++ {
				mu.Lock()
				runtime.Gosched()
				count++
				mu.Unlock()
			}
			wg.Done()
		}()
	}
	wg.Wait()
	if count != n/4*4 {
		panic("an increment is lost")
	}
}
