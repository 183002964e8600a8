//go:build ignore

package main

import (
	"fmt"
	"runtime"
	"sync"
)

const seats, meals = 5, 2

var forks [seats]sync.Mutex

// dine takes the fork with the lower number first.
func dine(i int, table *sync.WaitGroup) {
	defer table.Done()
	first, second := i, (i+1)%seats
	if first > second {
		first, second = second, first
	}
	for range meals {
		forks[first].Lock()
		runtime.Gosched() // one fork in the hand
		forks[second].Lock()
		fmt.Println("philosopher", i, "eats")
		forks[second].Unlock()
		forks[first].Unlock()
	}
}

func main() {
	var table sync.WaitGroup
	for i := range seats {
		table.Add(1)
		go dine(i, &table)
	}
	table.Wait()
	fmt.Println("all have eaten")
}
