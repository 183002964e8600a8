//go:build ignore

// Locked has a goroutine that is locked to its thread, and plays ping-pong with main; one that ends
// without unlocking; and others that compute.
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

func main() {
	ping, pong, done := make(chan int), make(chan int), make(chan int)
	go func() {
		runtime.LockOSThread()
		runtime.LockOSThread()
		runtime.UnlockOSThread()
		defer runtime.UnlockOSThread()
		for n := range ping {
			if n%5 == 0 {
				runtime.Gosched()
			}
			pong <- n + 1
		}
		close(pong)
	}()
	for i := range 3 {
		go func() { done <- work(10_000 + i) }()
	}
	n := 0
	for range 20 {
		ping <- n
		n = <-pong
	}
	close(ping)
	<-pong
	go func() {
		runtime.LockOSThread()
		done <- work(1000)
	}()
	sum := 0
	for range 4 {
		sum += <-done
	}
	fmt.Println("n", n, "sum", sum)
}
