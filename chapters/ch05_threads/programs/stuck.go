//go:build ignore

// Stuck is a deadlock: three goroutines wait for each other, and main for them.
package main

import "fmt"

func main() {
	a, b, c := make(chan int), make(chan int), make(chan int)
	go func() { a <- <-b }()
	go func() { b <- <-c }()
	go func() { c <- <-a }()
	fmt.Println("main waits")
	<-a
}
