package main

import (
	"fmt"
	"runtime"
)

func bad(xs []int, i int) int { return xs[i] }

func main() {
	fmt.Println("start")
	go func() {
		bad(nil, 3)
	}()
	for {
		runtime.Gosched()
	}
}
