//go:build ignore

// Status ends in a goroutine that is not main, by os.Exit. Main and the third
// goroutine could still run, but do not.
package main

import (
	"fmt"
	"os"
	"runtime"
)

func main() {
	go func() {
		fmt.Println("one goroutine ends the program")
		os.Exit(3)
	}()
	go func() {
		fmt.Println("another would go on")
	}()
	for {
		runtime.Gosched()
	}
}
