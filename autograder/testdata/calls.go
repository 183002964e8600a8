//go:build ignore

// Calls has 200 goroutines that wait in system calls, each for data in a pipe of its own. Main
// writes to one pipe after the other, and waits for the goroutine that it has woken.
package main

import (
	"fmt"
	"syscall"
)

const calls = 200

func read(fd int) int {
	var b [1]byte
	if n, err := syscall.Read(fd, b[:]); n != 1 || err != nil {
		panic(fmt.Sprint("read: ", n, err))
	}
	return int(b[0])
}

func main() {
	var pipes [calls][2]int
	got := make(chan int)
	for i := range calls {
		if err := syscall.Pipe(pipes[i][:]); err != nil {
			panic(err)
		}
		go func() { got <- 1000*i + read(pipes[i][0]) }()
	}
	for i := range calls {
		if n, err := syscall.Write(pipes[i][1], []byte{byte(i)}); n != 1 || err != nil {
			panic(fmt.Sprint("write: ", n, err))
		}
		if answer := <-got; answer != 1000*i+i%256 {
			panic(fmt.Sprint("answer ", answer, " from goroutine ", i))
		}
	}
	fmt.Println("calls", calls)
}
