//go:build ignore

// Buffered has a producer and a consumer with a buffer of two between them.
package main

import "fmt"

func produce(c chan<- int) {
	for n := 1; n <= 6; n++ {
		c <- n
		fmt.Println("sent", n)
	}
	close(c)
}

func main() {
	c := make(chan int, 2)
	go produce(c)
	for n := range c {
		fmt.Println("    received", n)
	}
}
