// GOMAXPROCS(1) changes nothing where it is 1.
package main

import (
	"fmt"
	"runtime"
)

func main() {
	runtime.GOMAXPROCS(1)
	for i := range 3 {
		go func() {
			for k := range 3 {
				fmt.Println(i, k)
				runtime.Gosched()
			}
		}()
	}
	for range 6 {
		runtime.Gosched()
	}
}
