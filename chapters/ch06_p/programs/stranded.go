//go:build ignore

// Stranded lets a thousand goroutines wait for a channel, twice: first while many may run
// at once, and then while one may. In between it asks for GOMAXPROCS 1.
package main

import (
	"fmt"
	"runtime"
)

func work(n int) (x int) {
	for i := range n {
		x += i
	}
	return x
}

func crowd() (n int) {
	start, done := make(chan int), make(chan int, 1000)
	for range 1000 {
		go func() {
			<-start
			work(500)
			done <- 1
		}()
	}
	for range 1000 {
		start <- 1
		work(50)
	}
	for range 1000 {
		n += <-done
	}
	return n
}

func main() {
	first := crowd()
	fmt.Println(first, "waited, of", runtime.GOMAXPROCS(1), "at once")
	fmt.Println(crowd(), "waited, of", runtime.GOMAXPROCS(0), "at once")
}
