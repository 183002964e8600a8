//go:build ignore

// Tight is calls.go without a call: the goroutine counts in its loop.
package main

import "fmt"

const enough = 20000

var n int

func main() {
	go func() {
		for range enough {
			n++
		}
	}()
	done := make(chan bool)
	go func() { done <- true }()
	<-done
	fmt.Println("main goes on, and the hog has done all its work:", n == enough)
}
