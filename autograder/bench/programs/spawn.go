//go:build ignore

// n goroutines are made, run and end, one after the other.
package main

import (
	"os"
	"runtime"
	"strconv"
)

func main() {
	n, _ := strconv.Atoi(os.Args[1])
	ran := 0
	for i := 0; i < n; i++ {
		go func() { ran++ }()
		runtime.Gosched()
	}
	for ran < n {
		runtime.Gosched()
	}
}
