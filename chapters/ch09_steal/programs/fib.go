//go:build ignore

// Fib forks and joins: for each number but the small ones another goroutine computes one
// half, and the caller waits for it.
package main

import "fmt"

func main() {
	fmt.Println("fib(32) =", fib(32))
}

func fib(n int) int {
	if n < 18 {
		return serial(n)
	}
	c := make(chan int)
	go func() { c <- fib(n - 1) }()
	b := fib(n - 2)
	return <-c + b
}

func serial(n int) int {
	if n < 2 {
		return n
	}
	return serial(n-1) + serial(n-2)
}
