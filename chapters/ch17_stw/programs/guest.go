//go:build ignore

// The main goroutine makes garbage beside a tree that lives, and three others compute, while the
// collector is at work again and again.
package main

import "fmt"

type tree struct{ left, right *tree }

func build(depth int) *tree {
	if depth == 0 {
		return &tree{}
	}
	return &tree{build(depth - 1), build(depth - 1)}
}

func (t *tree) count() int {
	if t.left == nil {
		return 1
	}
	return t.left.count() + t.right.count()
}

func compute(rounds int, done chan<- int) {
	sum := 0
	for i := range rounds {
		sum += i & 1
	}
	done <- sum
}

func main() {
	live := build(15)
	done := make(chan int)
	for range 3 {
		go compute(2_500_000, done)
	}
	leaves := 0
	for range 4000 {
		leaves += build(6).count()
	}
	fmt.Println("leaves", leaves, live.count(), <-done+<-done+<-done)
}
