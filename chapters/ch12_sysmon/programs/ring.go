//go:build ignore

package main

import (
	"fmt"
	"time"
)

//go:noinline
func pass(c chan int, n int) { c <- n }

// main and a servant wake each other, always through Runnext, and share one time slice. A
// third goroutine is in the ring, behind both.
func main() {
	begin := time.Now()
	ran := time.Duration(0)
	go func() { ran = time.Since(begin) }()
	ask, answer := make(chan int), make(chan int)
	go func() {
		for n := range ask {
			pass(answer, n)
		}
	}()
	rounds := 0
	for ran == 0 && time.Since(begin) < 100*time.Millisecond {
		pass(ask, rounds)
		<-answer
		rounds++
	}
	if ran == 0 {
		fmt.Println("main and its servant have played for 100 ms, and the one in the ring has not run")
		return
	}
	fmt.Println("the one in the ring ran after", ran.Milliseconds(), "ms")
}
