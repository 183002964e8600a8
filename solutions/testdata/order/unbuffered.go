// A producer and main, without a buffer.
package main

import (
	"fmt"
)

func main() {
	c := make(chan int)
	go func() {
		for i := range 6 {
			fmt.Println("send", i)
			c <- i
			fmt.Println("sent", i)
		}
		close(c)
	}()
	for v := range c {
		fmt.Println("got", v)
	}
}
