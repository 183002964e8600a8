//go:build ignore

// A goroutine sleeps, and the P whose timer it is computes for a long time.
package main

import (
	"fmt"
	"runtime"
	"time"
)

func main() {
	late := make(chan time.Duration)
	go func() {
		due := time.Now().Add(time.Millisecond)
		go compute() // next on this P
		time.Sleep(time.Until(due))
		late <- time.Since(due)
	}()
	runtime.Gosched()
	if d := <-late; d < 500*time.Microsecond {
		fmt.Println("in time")
	} else {
		fmt.Println("late by", d)
	}
}

func compute() {
	for range 20_000_000 {
	}
}
