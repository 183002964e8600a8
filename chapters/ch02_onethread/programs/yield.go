//go:build ignore

// Yield lets three goroutines take turns: after each line the one that printed
// goes to the end of the queue.
package main

import (
	"fmt"
	"runtime"
)

func work(name string) {
	for round := 1; round <= 3; round++ {
		fmt.Println(name, round)
		runtime.Gosched()
	}
}

func main() {
	go work("a")
	go work("b")
	work("main")
}
