//go:build ignore

// Waiters lets ten thousand goroutines wait on one channel, and wakes them all.
package main

import "fmt"

const n = 10_000

func main() {
	gate, done := make(chan int), make(chan int)
	for range n {
		go func() {
			v := <-gate
			done <- v + 1
		}()
	}
	gate <- 41
	fmt.Println("the first one says", <-done)
	close(gate)
	sum := 0
	for range n - 1 {
		sum += <-done
	}
	fmt.Println("the others say", sum)
}
