package main

import (
	"fmt"
	"time"
)

// While all sleep a timer is all that can happen.
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
