// How many goroutines of the P's own run before main, which has yielded, at the 61st tick.
package main

import (
	"fmt"
	"runtime"
)

func main() {
	n := 0
	for range 200 {
		go func() { n++ }()
	}
	for range 5 {
		runtime.Gosched()
		fmt.Println(n)
	}
}
