//go:build ignore

// Tight has a goroutine that does nothing for ever, without a call.
package main

import "fmt"

func main() {
	go func() {
		for {
		}
	}()
	done := make(chan bool)
	go func() { done <- true }()
	<-done
	fmt.Println("main goes on")
}
