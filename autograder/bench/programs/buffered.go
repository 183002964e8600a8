//go:build ignore

// n values go through a channel with room for 128.
package main

import (
	"os"
	"strconv"
)

func main() {
	n, _ := strconv.Atoi(os.Args[1])
	c := make(chan int, 128)
	go func() {
		for i := 0; i < n; i++ {
			c <- i
		}
		close(c)
	}()
	sum := 0
	for v := range c {
		sum += v
	}
}
