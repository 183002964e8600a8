// A select with one case that can go on.
package main

import (
	"fmt"
)

func main() {
	a, b, done := make(chan int), make(chan string), make(chan bool)
	go func() {
		for i := range 4 {
			a <- i
			b <- fmt.Sprint("b", i)
		}
		close(done)
	}()
	for {
		select {
		case v := <-a:
			fmt.Println("a", v)
		case s := <-b:
			fmt.Println(s)
		case <-done:
			fmt.Println("done")
			return
		}
	}
}
