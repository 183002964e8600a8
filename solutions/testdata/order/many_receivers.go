// Receivers that wait are served in the order in which they came.
package main

import (
	"fmt"
	"sync"
)

func main() {
	c := make(chan int)
	var wg sync.WaitGroup
	for i := range 5 {
		wg.Go(func() {
			for v := range c {
				fmt.Println(i, "got", v)
			}
			fmt.Println(i, "ends")
		})
	}
	for v := range 20 {
		c <- v
	}
	close(c)
	wg.Wait()
}
