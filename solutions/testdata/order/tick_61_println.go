// How many goroutines of the P's own run before main, which has yielded, at the 61st tick; nobody calls finalizers.
package main

import (
	"runtime"
)

func main() {
	n := 0
	for range 200 {
		go func() { n++ }()
	}
	for range 5 {
		runtime.Gosched()
		println(n)
	}
}
