//go:build ignore

// Tree starts a goroutine for each node of a tree: a node prints its number and
// starts its two children. With one queue the tree is walked level by level.
package main

import (
	"fmt"
	"runtime"
)

const nodes = 15

func node(n int) {
	fmt.Println("node", n)
	for child := 2 * n; child <= 2*n+1; child++ {
		if child <= nodes {
			go node(child)
		}
	}
}

func main() {
	go node(1)
	for runtime.NumGoroutine() > 1 {
		runtime.Gosched()
	}
	fmt.Println("all", nodes, "nodes are done")
}
