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
	for range 5 { // several at once, so that all but one wait
		spin(5000)
		runtime.GC()
	}
	done <- mine.next.next.name
}

// spin takes a while, and makes nothing.
func spin(n int) (sum int) {
	for i := range n {
		sum += i
	}
	return sum
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
