//go:build ignore

// Stale reads a variable of its caller after the stack has grown.
package main

import "fmt"

func down(n int) int {
	if n == 0 {
		return 0
	}
	return down(n-1) + 1
}

func read(x *int, depth int) int {
	down(depth)
	return *x
}

func main() {
	x := 42
	fmt.Println(read(&x, 5))
	fmt.Println(read(&x, 100))
}
