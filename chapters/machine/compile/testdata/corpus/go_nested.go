package main

import (
	"fmt"
	"runtime"
)

var count int

func spawn(depth int) {
	count++
	if depth == 0 {
		return
	}
	go spawn(depth - 1)
	go spawn(depth - 1)
}

func main() {
	go spawn(7)
	for count < 255 {
		runtime.Gosched()
	}
	for runtime.NumGoroutine() > 1 {
		runtime.Gosched()
	}
	fmt.Println(count)
}
