//go:build ignore

// Hog has one goroutine that computes for a long time and never lets go, and two
// that yield after each line. With one thread and no preemption the two, and main,
// wait until the hog has finished.
package main

import (
	"fmt"
	"runtime"
)

func hog() {
	sum := 0
	for i := range 100_000 {
		sum += i
	}
	fmt.Println("hog: the sum is", sum)
}

func polite(name string) {
	for round := 1; round <= 3; round++ {
		fmt.Println(name, round)
		runtime.Gosched()
	}
}

func main() {
	go polite("a")
	go hog()
	go polite("b")
	for runtime.NumGoroutine() > 1 {
		runtime.Gosched()
	}
}
