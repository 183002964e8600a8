//go:build ignore

// Deadlock has three goroutines that wait for what never comes.
package main

import "fmt"

func main() {
	c := make(chan int)
	var nothing chan string
	go func() { c <- 1 }()
	go func() { nothing <- "hello" }()
	fmt.Println("received", <-c)
	fmt.Println("received", <-c)
}
