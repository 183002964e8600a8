//go:build ignore

// Wedged is a deadlock of goroutines that have worked before.
package main

import (
	"fmt"
	"runtime"
)

func main() {
	first, second := make(chan int), make(chan int)
	for range 5 {
		go func() {
			runtime.Gosched()
			first <- <-second // no goroutine will ever send there
		}()
	}
	runtime.Gosched()
	fmt.Println("main waits")
	<-first
}
