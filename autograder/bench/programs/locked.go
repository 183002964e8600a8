//go:build ignore

// Sends n messages to and fro between a goroutine that is locked to its thread and one that
// is not: each changes the thread.
package main

import (
	"os"
	"runtime"
	"strconv"
)

func main() {
	n, _ := strconv.Atoi(os.Args[1])
	there, back := make(chan int), make(chan int)
	go func() {
		runtime.LockOSThread()
		for i := range there {
			back <- i
		}
	}()
	for i := 0; i < n; i++ {
		there <- i
		<-back
	}
}
