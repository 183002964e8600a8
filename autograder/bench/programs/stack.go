//go:build ignore

// n goroutines whose stacks grow to a depth of 500 calls.
package main

import (
	"os"
	"strconv"
)

func deep(n int) int {
	if n == 0 {
		return 0
	}
	return deep(n-1) + 1
}

func main() {
	n, _ := strconv.Atoi(os.Args[1])
	done := make(chan int)
	for i := 0; i < n; i++ {
		go func() { done <- deep(500) }()
		<-done
	}
}
