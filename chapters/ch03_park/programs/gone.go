//go:build ignore

// Gone closes a channel on which a goroutine waits to send.
package main

import "fmt"

func main() {
	c, ready := make(chan int), make(chan bool, 1)
	go func() {
		ready <- true
		c <- 1
		fmt.Println("sent")
	}()
	<-ready
	never := make(chan int)
	go func() {
		close(c)
		fmt.Println("closed")
	}()
	<-never
}
