package main

import "fmt"

// Send the sequence 2, 3, 4, … to the channel.
func generate(ch chan<- int) {
	for i := 2; ; i++ {
		ch <- i
	}
}

// Copy the values that prime does not divide.
func filter(in <-chan int, out chan<- int, prime int) {
	for i := range in {
		if i%prime != 0 {
			out <- i
		}
	}
}

func main() {
	ch := make(chan int)
	go generate(ch)
	for range 40 {
		prime := <-ch
		fmt.Println(prime)
		next := make(chan int)
		go filter(ch, next, prime)
		ch = next
	}
}
