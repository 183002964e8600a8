//go:build ignore

// Sieve finds prime numbers with a chain of goroutines: each holds one prime and
// lets pass what it does not divide.
package main

import "fmt"

func generate(out chan<- int) {
	for n := 2; ; n++ {
		out <- n
	}
}

func filter(in <-chan int, out chan<- int, prime int) {
	for n := range in {
		if n%prime != 0 {
			out <- n
		}
	}
}

func main() {
	c := make(chan int)
	go generate(c)
	for range 12 {
		prime := <-c
		fmt.Println(prime)
		out := make(chan int)
		go filter(c, out, prime)
		c = out
	}
}
