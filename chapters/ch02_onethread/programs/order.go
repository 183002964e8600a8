//go:build ignore

// Order starts five goroutines. In which order do they print? Under Go 0.x, in the
// order in which they were started; under today's Go, even on one thread, in
// another order.
package main

import (
	"fmt"
	"runtime"
)

func main() {
	runtime.GOMAXPROCS(1)
	for i := range 5 {
		go func() {
			fmt.Println("goroutine", i)
		}()
	}
	fmt.Println("main has started five goroutines")
	runtime.Gosched()
	fmt.Println("main goes on")
}
