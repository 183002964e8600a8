//go:build ignore

// Short has three goroutines that make system calls, one after the other, none of which
// blocks: each writes a byte to a pipe of its own, and reads it back.
package main

import (
	"fmt"
	"syscall"
)

const calls = 200

func main() {
	done := make(chan int)
	for range 3 {
		go func() {
			var pipe [2]int
			if err := syscall.Pipe(pipe[:]); err != nil {
				panic(err)
			}
			sum, b := 0, make([]byte, 1)
			for i := range calls {
				b[0] = byte(i)
				syscall.Write(pipe[1], b)
				b[0] = 0
				syscall.Read(pipe[0], b)
				sum += int(b[0])
			}
			done <- sum
		}()
	}
	sum := 0
	for range 3 {
		sum += <-done
	}
	fmt.Println("sum", sum)
}
