//go:build ignore

// An M sleeps until a timer is due that is set to 20 ms. Then one is set to 2 ms.
package main

import (
	"fmt"
	"time"
)

func main() {
	start := time.Now()
	time.AfterFunc(20*time.Millisecond, func() { fmt.Println("20 ms") })
	compute()
	time.AfterFunc(2*time.Millisecond, func() {
		fmt.Println("2 ms, in time:", time.Since(start) < 15*time.Millisecond)
	})
	compute()
	time.Sleep(20 * time.Millisecond)
}

// compute takes some ms, and no scheduler is asked for anything meanwhile.
func compute() {
	for range 3_000_000 {
	}
}
