//go:build ignore

// Blocked lets a goroutine read from a pipe in which there is nothing yet: its thread sleeps
// in the kernel. Main computes for some milliseconds, and then writes. With an argument it
// computes before as well.
package main

import (
	"fmt"
	"os"
	"syscall"
	"time"
)

//go:noinline
func step(x int) int { return (x*1103515245 + 12345) & 0x7fffffff }

func compute(steps int) (x int) {
	for range steps {
		x = step(x)
	}
	return x
}

func main() {
	if len(os.Args) > 1 {
		compute(2_000_000)
	}
	var fds [2]int
	syscall.Pipe(fds[:])
	began := time.Now()
	done := make(chan int)
	go func() { // runs when the reader is in the kernel
		waited := time.Since(began)
		compute(200_000)
		syscall.Write(fds[1], []byte("x"))
		done <- int(waited.Microseconds())
	}()
	go func() {
		var b [1]byte
		syscall.Read(fds[0], b[:])
		done <- 0
	}()
	fmt.Println("the P was free after", <-done+<-done, "µs")
}
