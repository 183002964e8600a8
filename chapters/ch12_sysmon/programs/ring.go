//go:build ignore

// Ring lets main and a servant wake each other, always through Runnext, so that they share
// one time slice. A third goroutine is in the ring of their P.
package main

import (
	"fmt"
	"runtime"
	"time"
)

const patience = 100 * time.Millisecond

//go:noinline
func pass(c chan int, n int) { c <- n }

func main() {
	runtime.Gosched()
	began, waited := time.Now(), time.Duration(0)
	go func() { waited = time.Since(began) }()
	ask, answer := make(chan int), make(chan int)
	go func() {
		for n := range ask {
			pass(answer, n)
		}
	}()
	for n := 0; waited == 0 && time.Since(began) < patience; n++ {
		pass(ask, n)
		<-answer
	}
	if waited == 0 {
		fmt.Println("the one in the ring has not run for 100 ms")
		return
	}
	fmt.Println("the one in the ring ran after", waited.Milliseconds(), "ms")
}
