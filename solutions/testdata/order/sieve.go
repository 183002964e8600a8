// The sieve of primes: a chain of channels.
package main

import (
	"fmt"
)

func filter(in, out chan int, prime int) {
	for i := range in {
		if i%prime != 0 {
			out <- i
		} else {
			fmt.Print(i, "/", prime, " ")
		}
	}
}

func main() {
	ch := make(chan int)
	go func() {
		for i := 2; ; i++ {
			ch <- i
		}
	}()
	for range 10 {
		prime := <-ch
		fmt.Println(prime)
		out := make(chan int)
		go filter(ch, out, prime)
		ch = out
	}
}
