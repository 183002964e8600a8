//go:build ignore

package main

import (
	"fmt"
	"runtime"
	"time"
)

// Some compute, some talk, some sleep, and two stop the world again and again.
func main() {
	sums, stop, stopped := make(chan int), make(chan bool), make(chan int)
	for range 2 {
		go func() {
			var stats runtime.MemStats
			for n := 1; ; n++ {
				select {
				case <-stop:
					stopped <- n
					return
				default:
					runtime.ReadMemStats(&stats)
					runtime.Gosched()
				}
			}
		}()
	}
	for i := range 4 {
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
	total := 0
	for range 4 {
		total += <-sums
	}
	close(stop)
	if <-stopped+<-stopped < 4 {
		fmt.Println("the world was hardly stopped")
	}
	fmt.Println("total", total)
}
