//go:build ignore

// Two goroutines hand the processor to each other n times in all.
package main

import (
	"os"
	"runtime"
	"strconv"
)

func main() {
	n, _ := strconv.Atoi(os.Args[1])
	half := n / 2
	done := make(chan bool)
	go func() {
		for i := 0; i < half; i++ {
			runtime.Gosched()
		}
		done <- true
	}()
	for i := 0; i < half; i++ {
		runtime.Gosched()
	}
	<-done
}
