//go:build ignore

// Exit returns from main while another goroutine still has something to say. That one
// is on the queue, ready to run, and never does.
package main

import (
	"fmt"
	"runtime"
)

func main() {
	go func() {
		fmt.Println("the other begins")
		runtime.Gosched()
		fmt.Println("the other goes on")
	}()
	runtime.Gosched()
	fmt.Println("main returns")
}
