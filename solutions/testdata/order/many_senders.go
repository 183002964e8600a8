// Senders that wait are served in the order in which they came.
package main

import (
	"fmt"
)

func main() {
	c := make(chan int)
	for i := range 6 {
		go func() {
			for k := range 3 {
				c <- 10*i + k
			}
		}()
	}
	for range 18 {
		fmt.Println(<-c)
	}
}
