//go:build ignore

// Updown has six goroutines that compute in small steps, and changes the number of Ps to
// 1, and then back to what it was.
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

func steps(done chan bool) {
	for range 4 {
		work(3000)
		runtime.Gosched()
	}
	done <- true
}

func main() {
	done := make(chan bool)
	for range 6 {
		go steps(done)
	}
	work(20_000)
	old := runtime.GOMAXPROCS(1)
	for range 3 {
		runtime.Gosched()
	}
	fmt.Println("it was", old, "and then", runtime.GOMAXPROCS(old))
	for range 6 {
		<-done
	}
}
