//go:build ignore

// Pairs lets goroutines talk over channels, two by two: each is made ready by its partner.
package main

import "fmt"

func main() {
	done := make(chan int)
	for p := range 8 {
		c := make(chan int)
		go func() {
			for i := range 20 {
				c <- p + i
			}
			close(c)
		}()
		go func() {
			sum := 0
			for v := range c {
				sum += v
			}
			done <- sum
		}()
	}
	sum := 0
	for range 8 {
		sum += <-done
	}
	fmt.Println("sum", sum)
}
