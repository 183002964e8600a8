//go:build ignore

// The first n primes from a chain of goroutines, one for each prime.
package main

import (
	"os"
	"strconv"
)

func generate(out chan int) {
	for i := 2; ; i++ {
		out <- i
	}
}

func filter(in, out chan int, prime int) {
	for {
		if i := <-in; i%prime != 0 {
			out <- i
		}
	}
}

func main() {
	n, _ := strconv.Atoi(os.Args[1])
	c := make(chan int)
	go generate(c)
	for i := 0; i < n; i++ {
		prime := <-c
		next := make(chan int)
		go filter(c, next, prime)
		c = next
	}
}
