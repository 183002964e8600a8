//go:build ignore

// Held starts a goroutine, and computes until it has run, again and again: another P
// must take it away.
package main

import (
	"fmt"
	"sync/atomic"
)

func main() {
	var ran atomic.Int32
	for i := range int32(4) {
		go func() { ran.Add(1) }()
		for ran.Load() == i {
		}
	}
	fmt.Println("ran", ran.Load())
}
