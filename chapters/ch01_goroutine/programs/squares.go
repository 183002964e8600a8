//go:build ignore

// Squares runs goroutines that have something on their stacks while others run,
// in two waves, so that most stacks are used twice.
package main

import (
	"fmt"
	"runtime"
)

var sum, alive int

// square yields between the steps of its product, which is on its stack.
func square(x int) {
	product := 0
	for i := 0; i < x; i++ {
		product += x
		if i%3 == 0 {
			runtime.Gosched()
		}
	}
	sum += product
	alive--
}

func squares(from, to int) int {
	for x := from; x <= to; x++ {
		alive++
		go square(x)
	}
	for alive > 0 {
		runtime.Gosched()
	}
	return to - from + 1
}

func main() {
	runtime.GOMAXPROCS(1)
	n := squares(1, 9)
	n += squares(10, 29)
	fmt.Println(n, "goroutines, the sum of squares is", sum)
}
