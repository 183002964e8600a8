//go:build ignore

// Calls is loop.go with a call in the loop.
package main

import (
	"fmt"
	"time"
)

//go:noinline
func third(i int) int {
	if i%3 == 0 {
		return i
	}
	return 0
}

func main() {
	go func() {
		n := 0
		for i := 0; i < 4_500_000; i++ {
			n += third(i)
		}
		fmt.Println("the loop has ended:", n)
	}()
	time.Sleep(time.Millisecond)
	fmt.Println("main has waited for 1 ms")
}
