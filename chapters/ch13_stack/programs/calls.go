//go:build ignore

// Calls has a goroutine that calls a function again and again, and main waits for another
// one. With one thread main goes on before the first has ended only if that is stopped.
package main

import "fmt"

const enough = 20000

var n int

//go:noinline
func count() { n++ }

func main() {
	go func() {
		for range enough {
			count()
		}
	}()
	done := make(chan bool)
	go func() { done <- true }()
	<-done
	fmt.Println("main goes on, and the hog has done all its work:", n == enough)
}
