//go:build ignore

// Goroutines that wait in every way there is: for a channel, a lock, a timer, a system call, each
// other, and their turn.
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
	add := func(n int) {
		mu.Lock()
		sum += n
		mu.Unlock()
	}
	numbers := make(chan int)
	for range 3 {
		wg.Go(func() {
			for n := range numbers {
				add(work(n))
			}
		})
	}
	wg.Go(func() {
		for i := range 60 {
			if i%10 == 0 {
				time.Sleep(20 * time.Microsecond)
			}
			numbers <- i
		}
		close(numbers)
	})
	for i := range 4 {
		wg.Go(func() {
			for range 20 {
				runtime.Gosched()
			}
			timer := time.NewTimer(time.Duration(i) * 30 * time.Microsecond)
			select {
			case <-timer.C:
				add(1)
			case <-time.After(time.Second):
				add(1000)
			}
		})
	}
	wg.Wait()
	fmt.Println("sum", sum)
}

func work(n int) int {
	for i := range 200 {
		n += i % 3
	}
	return n
}
