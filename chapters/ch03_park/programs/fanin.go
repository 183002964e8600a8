//go:build ignore

// Fanin has three producers on one channel, and waits for all of them on another
// one, whose elements have no bytes.
package main

import "fmt"

func produce(from, to int, out chan<- int, done chan<- struct{}) {
	for n := from; n < to; n++ {
		out <- n
	}
	done <- struct{}{}
}

func main() {
	out, done := make(chan int), make(chan struct{})
	for i := range 3 {
		go produce(10*i, 10*i+10, out, done)
	}
	go func() {
		for range 3 {
			<-done
		}
		close(out)
	}()
	sum, count := 0, 0
	for n := range out {
		sum += n
		count++
	}
	fmt.Println(count, "numbers, their sum is", sum)
	n, ok := <-out
	fmt.Println(n, ok, len(out), cap(out), cap(make(chan int, 3)))
}
