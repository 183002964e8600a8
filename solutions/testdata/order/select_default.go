// A select with default, and Gosched.
package main

import (
	"fmt"
	"runtime"
)

func main() {
	c := make(chan int)
	go func() {
		for i := range 3 {
			runtime.Gosched()
			c <- i
		}
		close(c)
	}()
	for idle := 0; ; {
		select {
		case v, ok := <-c:
			fmt.Println("got", v, ok, "after", idle)
			idle = 0
			if !ok {
				return
			}
		default:
			idle++
			runtime.Gosched()
		}
	}
}
