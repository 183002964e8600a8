package main

import "fmt"

// A thousand goroutines wait at the same time.
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
