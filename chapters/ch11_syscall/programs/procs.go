//go:build ignore

// Procs changes GOMAXPROCS, for which the world must stop, while a goroutine waits in a system
// call.
package main

import (
	"fmt"
	"runtime"
	"syscall"
)

func main() {
	var pipe [2]int
	if err := syscall.Pipe(pipe[:]); err != nil {
		panic(err)
	}
	began, done := make(chan bool), make(chan int)
	go func() {
		b := make([]byte, 1)
		began <- true
		syscall.Read(pipe[0], b)
		done <- int(b[0])
	}()
	<-began
	before := runtime.GOMAXPROCS(3)
	for range 10 {
		runtime.Gosched()
		runtime.GOMAXPROCS(1)
		runtime.Gosched()
		runtime.GOMAXPROCS(4)
	}
	now := runtime.GOMAXPROCS(before)
	syscall.Write(pipe[1], []byte{42})
	fmt.Println(now, <-done)
}
