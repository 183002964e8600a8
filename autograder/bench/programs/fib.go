//go:build ignore

// The 20th Fibonacci number, n times.
package main

import (
	"os"
	"strconv"
)

func fib(n int) int {
	if n < 2 {
		return n
	}
	return fib(n-1) + fib(n-2)
}

func main() {
	n, _ := strconv.Atoi(os.Args[1])
	sum := 0
	for i := 0; i < n; i++ {
		sum += fib(20)
	}
	if sum != n*6765 {
		panic("fib is wrong")
	}
}
