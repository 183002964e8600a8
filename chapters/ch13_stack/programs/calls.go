//go:build ignore

// Calls has a goroutine that calls a function for ever. With one thread main goes on only if
// that goroutine is stopped.
package main

import "fmt"

var n int

//go:noinline
func count() { n++ }

func main() {
	go func() {
		for {
			count()
		}
	}()
	done := make(chan bool)
	go func() { done <- true }()
	<-done
	fmt.Println("main goes on")
}
