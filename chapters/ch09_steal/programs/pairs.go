//go:build ignore

// Pairs has 128 pairs of goroutines. In each pair one sends to the other, 20 times, and
// between two messages both compute a little. No pair has anything to do with another:
// all that they share is the scheduler.
package main

func work(n int) (x int) {
	for i := range n {
		x += i
	}
	return x
}

func main() {
	done := make(chan bool)
	for range 128 {
		c := make(chan int)
		go func() {
			for i := range 20 {
				work(300)
				c <- i
			}
		}()
		go func() {
			for range 20 {
				<-c
				work(300)
			}
			done <- true
		}()
	}
	for range 128 {
		<-done
	}
}
