//go:build ignore

// Breath has much to do and then nothing, again and again: twelve goroutines that compute,
// then main alone, then no goroutine for a while.
package main

import (
	"fmt"
	"time"
)

func work(n int) (x int) {
	for i := range n {
		x += i
	}
	return x
}

func main() {
	done := make(chan int)
	sum := 0
	for range 5 {
		for i := range 12 {
			go func() { done <- work(5000 + 10*i) }()
		}
		for range 12 {
			sum += <-done
		}
		work(20000)
		time.Sleep(100 * time.Microsecond)
	}
	fmt.Println("sum", sum)
}
