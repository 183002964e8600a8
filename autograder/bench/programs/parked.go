//go:build ignore

// n goroutines wait.
package main

import (
	"os"
	"runtime"
	"strconv"
)

func main() {
	n, _ := strconv.Atoi(os.Args[1])
	never := make(chan int)
	for i := 0; i < n; i++ {
		go func() { <-never }()
	}
	runtime.Gosched()
	measure()
}
