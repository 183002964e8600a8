package main

import (
	"fmt"
	"runtime"
)

var n int

func inner() {
	n++
	runtime.Goexit()
	n += 100
}

func main() {
	for range 3 {
		go func() {
			inner()
			n += 1000
		}()
	}
	for runtime.NumGoroutine() > 1 {
		runtime.Gosched()
	}
	fmt.Println(n)
}
