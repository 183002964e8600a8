//go:build ignore

// Few makes twelve goroutines on one P. Each computes for about ten microseconds.
package main

func work(n int) (x int) {
	for i := range n {
		x += i % 7
	}
	return x
}

func main() {
	done := make(chan int, 12)
	for range 12 {
		go func() { done <- work(6000) }()
	}
	for range 12 {
		<-done
	}
}
