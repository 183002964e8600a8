//go:build ignore

// A goroutine sleeps, on a P that then has nothing else to do, while another one computes.
package main

import (
	"fmt"
	"time"
)

func main() {
	done := make(chan bool)
	go func() {
		time.Sleep(50 * time.Microsecond)
		done <- true
	}()
	sum := 0
	for i := range 200_000 {
		sum += i & 3
	}
	<-done
	fmt.Println(sum)
}
