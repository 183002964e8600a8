//go:build ignore

// Pingpong lets two goroutines hand a number to and fro, over two channels without
// a buffer. Whenever one runs, the other waits.
package main

import "fmt"

func pong(ping <-chan int, back chan<- int) {
	for n := range ping {
		fmt.Println("pong", n)
		back <- n + 1
	}
	fmt.Println("pong leaves")
	close(back)
}

func main() {
	ping, back := make(chan int), make(chan int)
	go pong(ping, back)
	for n := 1; n < 6; {
		fmt.Println("ping", n)
		ping <- n
		n = <-back
	}
	close(ping)
	_, open := <-back
	fmt.Println("the way back is open:", open)
}
