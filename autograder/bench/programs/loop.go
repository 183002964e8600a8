//go:build ignore

// A loop of 1000 turns, n times.
package main

import (
	"os"
	"strconv"
)

func main() {
	n, _ := strconv.Atoi(os.Args[1])
	x := uint64(1)
	for i := 0; i < n; i++ {
		for j := 0; j < 1000; j++ {
			x = x*6364136223846793005 + uint64(j)
		}
	}
	if x == 0 {
		println(x)
	}
}
