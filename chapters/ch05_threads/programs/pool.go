//go:build ignore

// Pool gives six jobs to three workers.
package main

import "fmt"

// work takes so long that it pays to do several at once.
func work(n int) int {
	sum := 0
	for i := range 40000 {
		sum += i % n
	}
	return sum
}

func main() {
	jobs := make(chan int)
	results := make(chan int)
	for range 3 {
		go func() {
			for n := range jobs {
				results <- work(n)
			}
		}()
	}
	go func() {
		for n := 1; n <= 6; n++ {
			jobs <- n
		}
		close(jobs)
	}()
	sum := 0
	for range 6 {
		sum += <-results
	}
	fmt.Println("sum", sum)
}
