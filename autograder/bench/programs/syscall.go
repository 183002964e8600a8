//go:build ignore

// Makes n system calls that do not block: they close a file that is not open.
package main

import (
	"os"
	"strconv"
	"syscall"
)

func main() {
	n, _ := strconv.Atoi(os.Args[1])
	for i := 0; i < n; i++ {
		if syscall.Close(1000) != syscall.EBADF {
			panic("there is such a file")
		}
	}
}
