// Command queue is the sample of the engine's tests.
package main

import (
	"fmt"
	"os"
)

// A Queue holds numbers, first in, first out.
//
//course:step 1 think
type Queue[T any] struct {
	items []T
}

// The sizes of queues.
const (
	Small = 4
	Large = 256 // the size of a run queue
)

// Put adds x at the tail.
//
//course:exercise
func (q *Queue[T]) Put(x T) {
	//course:step 2. append
	q.items = append(q.items, x) //course:omit

	if len(q.items) > Large {
		panic("full")
	}
}

// Len has no star.
func (q Queue[T]) Len() int { return len(q.items) }

func main() {
	// #region fill
	var q Queue[int]
	for i := range 3 {
		q.Put(i)
	}
	// #endregion
	fmt.Println("length <", q.Len()+1, "args", os.Args[1:])
	if len(os.Args) > 1 {
		fmt.Fprintln(os.Stderr, "fails")
		os.Exit(3)
	}
}
