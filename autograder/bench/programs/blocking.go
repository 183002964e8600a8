//go:build ignore

// Two goroutines send a byte to and fro, n times, through two pipes: each read blocks its
// thread, and another one must go on with the other goroutine.
package main

import (
	"os"
	"strconv"
	"syscall"
)

func pass(from, to, n int) {
	b := make([]byte, 1)
	for i := 0; i < n; i++ {
		if k, err := syscall.Read(from, b); k != 1 {
			panic(err)
		}
		if _, err := syscall.Write(to, b); err != nil {
			panic(err)
		}
	}
}

func main() {
	n, _ := strconv.Atoi(os.Args[1])
	var there, back [2]int
	if syscall.Pipe(there[:]) != nil || syscall.Pipe(back[:]) != nil {
		panic("no pipe")
	}
	done := make(chan bool)
	go func() {
		pass(there[0], back[1], n)
		done <- true
	}()
	syscall.Write(there[1], []byte{1})
	pass(back[0], there[1], n)
	<-done
}
