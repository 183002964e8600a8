//go:build ignore

// n goroutines are made, run and end; after each go statement main yields.
package main

import (
	"os"
	"runtime"
	"strconv"
)

func nothing() {}

func main() {
	n, _ := strconv.Atoi(os.Args[1])
	for i := 0; i < n; i++ {
		go nothing()
		runtime.Gosched()
	}
}
