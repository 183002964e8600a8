//go:build ignore

package main

import (
	"fmt"
	"sync"
)

const workers, jobs = 3, 8

// work squares what comes, until there is no more.
func work(in <-chan int, out chan<- int, pool *sync.WaitGroup) {
	defer pool.Done()
	for n := range in {
		out <- n * n
	}
}

func main() {
	in, out := make(chan int), make(chan int)
	var pool sync.WaitGroup
	for range workers {
		pool.Add(1)
		go work(in, out, &pool)
	}
	sent, done, sum, most := 0, 0, 0, 0
	for done < jobs {
		next := in
		if sent == jobs {
			next = nil // no more: this case is off
		}
		select {
		case next <- sent + 1:
			sent++
		case square := <-out:
			done++
			sum += square
		}
		most = max(most, sent-done)
	}
	close(in)
	pool.Wait()
	fmt.Println("the sum is", sum, "and never more than", workers, "were at work:", most <= workers)
}
