//go:build ignore

// Threads counts the threads of its own process, as the kernel lists them: before, while, and after
// twenty goroutines wait in a system call.
package main

import (
	"fmt"
	"os"
	"runtime"
	"syscall"
	"time"
)

func threads() int {
	list, err := os.ReadDir("/proc/self/task")
	if err != nil {
		panic(err)
	}
	return len(list)
}

func main() {
	runtime.GOMAXPROCS(2)
	var pipe [2]int
	if err := syscall.Pipe(pipe[:]); err != nil {
		panic(err)
	}
	before := threads()
	done := make(chan bool)
	for range 20 {
		go func() {
			syscall.Read(pipe[0], make([]byte, 1))
			done <- true
		}()
	}
	for threads() < before+19 {
		time.Sleep(time.Millisecond)
	}
	fmt.Println("GOMAXPROCS is 2, and 20 goroutines wait in system calls")
	fmt.Println("at least 19 threads more:", threads() >= before+19)
	syscall.Write(pipe[1], make([]byte, 20))
	for range 20 {
		<-done
	}
	fmt.Println("all are back; at least 19 threads more:", threads() >= before+19)
}
