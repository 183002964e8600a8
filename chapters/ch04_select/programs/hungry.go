//go:build ignore

package main

import "sync"

const seats = 5

var forks [seats]sync.Mutex

// dine takes the left fork first, and the right one when all sit there with one.
func dine(i int, seated, table *sync.WaitGroup) {
	forks[i].Lock()
	seated.Done()
	seated.Wait()
	forks[(i+1)%seats].Lock()
	table.Done()
}

func main() {
	var seated, table sync.WaitGroup
	seated.Add(seats)
	table.Add(seats)
	for i := range seats {
		go dine(i, &seated, &table)
	}
	table.Wait()
}
