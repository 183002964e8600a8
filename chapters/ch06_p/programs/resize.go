//go:build ignore

// Resize changes GOMAXPROCS, up and down, while eight goroutines compute, yield and
// talk to each other.
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

func talk(sums chan int) {
	c, sum := make(chan int), 0
	go func() {
		for n := range 40 {
			work(400)
			c <- n
		}
		close(c)
	}()
	for n := range c {
		sum += n
		work(200)
		runtime.Gosched()
	}
	sums <- sum
}

func main() {
	sums, total := make(chan int, 8), 0
	for range 8 {
		go talk(sums)
	}
	for _, n := range []int{4, 2, 200, 1, 3} {
		runtime.GOMAXPROCS(n)
		for range 10 {
			work(300)
			runtime.Gosched()
		}
	}
	for range 8 {
		total += <-sums
	}
	fmt.Println("total", total, "with", runtime.GOMAXPROCS(0))
}
