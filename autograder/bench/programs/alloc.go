//go:build ignore

// n binary trees of 1 MiB each are made and dropped, while one of 8 MiB is kept.
package main

import (
	"os"
	"runtime"
	"strconv"
)

// A node is 16 bytes.
type node struct{ left, right *node }

func tree(depth int) *node {
	if depth == 0 {
		return &node{}
	}
	return &node{tree(depth - 1), tree(depth - 1)}
}

func main() {
	n, _ := strconv.Atoi(os.Args[1])
	kept := tree(18)
	for i := 0; i < n; i++ {
		if tree(15).left == nil {
			panic("a branch is missing")
		}
	}
	runtime.KeepAlive(kept)
}
