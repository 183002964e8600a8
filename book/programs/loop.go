//go:build ignore

// Loop computes for 50 ms in a loop that calls nothing, while main waits for 1 ms and then ends
// the program.
package main

import (
	"fmt"
	"time"
)

func main() {
	go func() {
		n := 0
		for i := 0; i < 8_000_000; i++ {
			if i%3 == 0 {
				n += i
			}
		}
		fmt.Println("the loop has ended:", n)
	}()
	time.Sleep(time.Millisecond)
	fmt.Println("main has waited for 1 ms")
}
