package main

import (
	"fmt"
	"runtime"
)

func main() {
	var seen [5]bool
	n := 0
	for i := 0; i < 5; i++ {
		go func() {
			seen[i] = true
			n++
		}()
	}
	for _, v := range []int{10, 20, 30} {
		go func() {
			n += v
		}()
	}
	for n < 65 {
		runtime.Gosched()
	}
	fmt.Println(seen, n)
}
