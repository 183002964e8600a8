//go:build ignore

package main

import (
	"fmt"
	"runtime"
	"time"
)

// Others compute, talk and sleep, while GOMAXPROCS changes.
func main() {
	sums := make(chan int)
	for i := range 6 {
		go func() {
			sum, talk := 0, make(chan int, i%2)
			go func() {
				for n := range 40 {
					talk <- n
					if n%16 == 0 {
						time.Sleep(20 * time.Microsecond)
					}
				}
				close(talk)
			}()
			for n := range talk {
				for k := range 300 {
					sum += k % 3
				}
				sum += n
			}
			sums <- sum
		}()
	}
	ended := make(chan bool)
	for _, list := range [][]int{{4, 2, 7, 1, 3}, {2, 8, 1, 5}} {
		go func() {
			for _, n := range list {
				runtime.GOMAXPROCS(n)
				runtime.Gosched()
			}
			ended <- true
		}()
	}
	total := 0
	for range 6 {
		total += <-sums
	}
	<-ended
	<-ended
	runtime.GOMAXPROCS(2)
	fmt.Println("total", total, "of", runtime.GOMAXPROCS(0))
}
