// Three workers, jobs and results.
package main

import (
	"fmt"
)

func main() {
	jobs, results := make(chan int, 10), make(chan string, 10)
	for w := range 3 {
		go func() {
			for j := range jobs {
				fmt.Println("worker", w, "begins", j)
				results <- fmt.Sprint("worker ", w, " job ", j)
			}
		}()
	}
	for j := range 9 {
		jobs <- j
	}
	close(jobs)
	for range 9 {
		fmt.Println(<-results)
	}
}
