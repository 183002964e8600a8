//go:build ignore

package main

// Updown has six goroutines that compute in small steps, and changes the number of Ps
// from 1 to 3, and then to 2.

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

func step(done chan bool) {
	for range 4 {
		work(1500)
		runtime.Gosched()
	}
	done <- true
}

func main() {
	done := make(chan bool)
	for range 6 {
		go step(done)
	}
	runtime.Gosched()
	fmt.Println("it was", runtime.GOMAXPROCS(3))
	<-done
	<-done
	fmt.Println("it was", runtime.GOMAXPROCS(2))
	for range 4 {
		<-done
	}
}
