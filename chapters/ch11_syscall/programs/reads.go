//go:build ignore

// Reads has eight goroutines that wait in a system call, for data in a pipe, while others
// compute; and the data comes when the others are done.
package main

import (
	"fmt"
	"syscall"
)

const readers = 8

func work(n int) (x int) {
	for i := range n {
		x += i
	}
	return x
}

func read(fd int) int {
	var b [1]byte
	if _, err := syscall.Read(fd, b[:]); err != nil {
		panic(err)
	}
	return int(b[0])
}

func main() {
	var pipe [2]int
	if err := syscall.Pipe(pipe[:]); err != nil {
		panic(err)
	}
	got, done := make(chan int), make(chan int)
	for range readers {
		go func() { got <- read(pipe[0]) }()
	}
	for i := range 4 {
		go func() { done <- work(50_000 + i) }()
	}
	computed, bytes := 0, 0
	for range 4 {
		computed += <-done
	}
	for i := range readers {
		syscall.Write(pipe[1], []byte{byte(i)})
	}
	for range readers {
		bytes += <-got
	}
	fmt.Println("computed", computed, "read", bytes)
}
