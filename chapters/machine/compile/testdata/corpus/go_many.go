package main

import (
	"fmt"
	"runtime"
)

func main() {
	const n = 1000
	count := 0
	sum := 0
	for i := range n {
		go func() {
			sum += i
			count++
		}()
	}
	for count < n {
		runtime.Gosched()
	}
	fmt.Println(sum, count, runtime.NumGoroutine())
}
