//go:build ignore

// Fanout gives each of sixteen goroutines a piece of work, of equal size, and waits for
// all.
package main

func work(n int) (sum int) {
	for i := range n {
		sum += i
	}
	return sum
}

func main() {
	done := make(chan int)
	for range 16 {
		go func() { done <- work(5000) }()
	}
	for range 16 {
		<-done
	}
}
