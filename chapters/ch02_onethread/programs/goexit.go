//go:build ignore

// Goexit leaves the main goroutine without returning from main. The others go on
// until none is left, and then no goroutine can end the program.
package main

import (
	"fmt"
	"runtime"
)

func main() {
	go func() {
		fmt.Println("the other ends")
	}()
	fmt.Println("main leaves by Goexit")
	runtime.Goexit()
}
