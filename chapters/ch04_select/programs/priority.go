//go:build ignore

package main

import "fmt"

// more returns how many pieces of work are done after stop is closed.
func more(work chan int, stop chan bool) int {
	for done := 0; ; done++ {
		select {
		case <-stop:
			return done
		case <-work:
		}
	}
}

func main() {
	work, stop := make(chan int, 100), make(chan bool)
	close(stop)
	var rounds [4]int
	for range 1000 {
		for len(work) < cap(work) {
			work <- 1
		}
		rounds[min(more(work, stop), 3)]++
	}
	fmt.Printf("none in %d rounds, one in %d, two in %d, more in %d\n", rounds[0], rounds[1], rounds[2], rounds[3])
}
