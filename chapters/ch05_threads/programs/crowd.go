//go:build ignore

// Crowd lets a thousand goroutines wait at the same time.
package main

import "fmt"

func main() {
	gate := make(chan bool)
	done := make(chan int)
	for i := range 1000 {
		go func() {
			<-gate
			done <- i
		}()
	}
	close(gate)
	sum := 0
	for range 1000 {
		sum += <-done
	}
	fmt.Println("sum", sum)
}
