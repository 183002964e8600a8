//go:build ignore

// Spawn starts goroutines and waits for them, fifty at a time: four thousand in all, each
// of which waits for a channel twice.
package main

import "fmt"

func main() {
	n, done := 0, make(chan int)
	for range 80 {
		for range 50 {
			go func() {
				c := make(chan int)
				go func() { c <- 1 }()
				done <- <-c
			}()
		}
		for range 50 {
			n += <-done
		}
	}
	fmt.Println(n, "are done")
}
