//go:build ignore

// Burst lets main start eight goroutines, and wait for them. Each computes for a few
// hundred microseconds.
package main

import "fmt"

func work(n int) (x int) {
	for i := range n {
		x += i
	}
	return x
}

func main() {
	results := make(chan int)
	for i := range 8 {
		go func() { results <- work(60000 + i) }()
	}
	sum := 0
	for range 8 {
		sum += <-results
	}
	fmt.Println("sum", sum)
}
