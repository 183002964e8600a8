// Three stages with buffers of different lengths.
package main

import (
	"fmt"
)

func stage(name string, in, out chan int) {
	for v := range in {
		fmt.Println(name, v)
		out <- v
	}
	close(out)
}

func main() {
	a, b, c := make(chan int, 2), make(chan int), make(chan int, 1)
	go stage("first", a, b)
	go stage("second", b, c)
	go func() {
		for i := range 8 {
			a <- i
		}
		close(a)
	}()
	for v := range c {
		fmt.Println("end", v)
	}
}
