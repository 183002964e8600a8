//go:build ignore

// A tree of goroutines of depth 8 forks and joins, n times: 255 goroutines each.
package main

import (
	"os"
	"strconv"
	"sync"
)

func leaves(depth int) int {
	if depth == 0 {
		return 1
	}
	var wg sync.WaitGroup
	left := 0
	wg.Add(1)
	go func() {
		left = leaves(depth - 1)
		wg.Done()
	}()
	right := leaves(depth - 1)
	wg.Wait()
	return left + right
}

func main() {
	n, _ := strconv.Atoi(os.Args[1])
	for i := 0; i < n; i++ {
		if leaves(8) != 256 {
			panic("a leaf is missing")
		}
	}
}
