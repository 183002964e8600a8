//go:build ignore

// Phases starts a goroutine, for which an M comes, and then another one: at a moment of the
// life of that M at which it wakes, steals, runs, looks for more, or gives up. Then main
// keeps its P for a long time: if no M comes for the second goroutine, it waits. The arguments
// say at which moments: the first one, in instructions, and how many.
package main

import (
	"os"
	"strconv"
)

func work(n int) (x int) {
	for i := range n {
		x += i
	}
	return x
}

func number(i int) int {
	n, err := strconv.Atoi(os.Args[i])
	if err != nil {
		panic(err)
	}
	return n
}

func main() {
	first, many := number(1), number(2)
	for i := range many {
		go work(10)
		work(first + 7*i)
		go work(10)
		work(20000)
	}
}
