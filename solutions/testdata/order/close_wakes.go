// A close wakes all that wait.
package main

import (
	"fmt"
	"runtime"
)

func main() {
	start := make(chan bool)
	for i := range 8 {
		go func() {
			fmt.Println("wait", i)
			<-start
			fmt.Println("go", i)
		}()
	}
	runtime.Gosched()
	close(start)
	fmt.Println("closed")
	for range 12 {
		runtime.Gosched()
	}
}
