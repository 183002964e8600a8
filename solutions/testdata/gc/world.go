package main

import (
	"fmt"
	"runtime"
)

type thing struct {
	name string
	next *thing
}

// collect stops the world again and again, as others do, with what only it has in its frame.
func collect(i int, done chan string) {
	mine := &thing{name: fmt.Sprint("mine ", i)}
	for k := range 5 {
		mine = &thing{fmt.Sprint(mine.name, ".", k), mine}
		if i%2 == 0 {
			runtime.GC()
		} else {
			var m runtime.MemStats
			runtime.ReadMemStats(&m)
		}
		c := make(chan *thing, 1)
		c <- mine
		mine = <-c
	}
	done <- mine.next.next.name
}

func main() {
	done := make([]chan string, 6)
	for i := range done {
		done[i] = make(chan string, 1)
		go collect(i, done[i])
	}
	for _, done := range done {
		fmt.Println(<-done)
	}
}
