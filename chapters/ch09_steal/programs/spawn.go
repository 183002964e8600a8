//go:build ignore

// Spawn makes 200 goroutines, all of which fit into the queue of one P. Each computes
// for a few microseconds.
package main

import "fmt"

func work(n int) (x int) {
	for i := range n {
		x += i % 7
	}
	return x
}

func main() {
	results := make(chan int, 200)
	for i := range 200 {
		go func() { results <- work(1000 + i) }()
	}
	sum := 0
	for range 200 {
		sum += <-results
	}
	fmt.Println("sum", sum)
}
