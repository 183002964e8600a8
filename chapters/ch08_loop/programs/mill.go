//go:build ignore

// Mill passes sacks from goroutine to goroutine: a row of grinders with channels of
// different sizes between them, carters that yield, and a tree of goroutines, each of
// which starts two more. What comes out is the same whoever is first.
package main

import (
	"fmt"
	"runtime"
	"sync"
)

// grow starts a tree of that depth, and counts its leaves.
func grow(depth int, leaves *int, mu *sync.Mutex, wg *sync.WaitGroup) {
	defer wg.Done()
	if depth == 0 {
		mu.Lock()
		*leaves++
		mu.Unlock()
		return
	}
	wg.Add(2)
	go grow(depth-1, leaves, mu, wg)
	go grow(depth-1, leaves, mu, wg)
}

func main() {
	var mu sync.Mutex
	var wg sync.WaitGroup
	leaves := 0
	wg.Add(1)
	go grow(5, &leaves, &mu, &wg)

	in := make(chan int)
	at := in
	for size := range 4 {
		next := make(chan int, size)
		from := at
		go func() {
			for v := range from {
				if v%3 == size {
					runtime.Gosched()
				}
				next <- v + 1
			}
			close(next)
		}()
		at = next
	}
	go func() {
		for v := range 25 {
			in <- v
		}
		close(in)
	}()
	flour := 0
	for v := range at {
		flour += v
	}
	wg.Wait()
	fmt.Println("flour", flour, "leaves", leaves)
}
