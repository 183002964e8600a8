//go:build ignore

// Sleep has goroutines that all sleep: a timer is all that can happen then.
package main

import (
	"fmt"
	"time"
)

func main() {
	c := make(chan int)
	for i := range 3 {
		go func() {
			time.Sleep(time.Duration(3-i) * time.Millisecond)
			c <- i
		}()
	}
	for range 3 {
		fmt.Println("awake:", <-c)
	}
}
