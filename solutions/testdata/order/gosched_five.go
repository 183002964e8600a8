// Five goroutines and main yield in turn.
package main

import (
	"fmt"
	"runtime"
)

func main() {
	for g := range 5 {
		go func() {
			for i := range 4 {
				fmt.Println("g", g, i)
				runtime.Gosched()
			}
		}()
	}
	for i := range 8 {
		fmt.Println("main", i)
		runtime.Gosched()
	}
}
