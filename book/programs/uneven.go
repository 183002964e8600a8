//go:build ignore

// Uneven divides its work badly: each goroutine spawns a shorter one before it works, and
// the first has the most to do.
package main

import "sync"

func work(n int) (sum int) {
	for i := range n {
		sum += i
	}
	return sum
}

func split(n int, wg *sync.WaitGroup) {
	defer wg.Done()
	for n > 600 {
		n /= 2
		wg.Add(1)
		go split(n, wg)
	}
	work(8 * n)
}

func main() {
	var wg sync.WaitGroup
	wg.Add(1)
	split(10000, &wg)
	wg.Wait()
}
