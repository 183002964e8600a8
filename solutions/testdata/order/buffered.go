// A producer and main, with a buffer of three.
package main

import (
	"fmt"
)

func main() {
	c := make(chan int, 3)
	go func() {
		for i := range 10 {
			c <- i
			fmt.Println("sent", i)
		}
		close(c)
	}()
	for v := range c {
		fmt.Println("got", v)
	}
}
