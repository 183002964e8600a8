// Closures over one variable.
package main

import (
	"fmt"
	"runtime"
)

func main() {
	x := 0
	for i := range 5 {
		go func() {
			x = 10*x + i
			fmt.Println(x)
			runtime.Gosched()
			x++
		}()
	}
	for x < 40000 {
		runtime.Gosched()
	}
	runtime.Gosched()
	fmt.Println(x)
}
