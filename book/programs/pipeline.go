//go:build ignore

// Pipeline passes twelve values through four stages, each of which works on each value.
package main

func work(n int) (sum int) {
	for i := range n {
		sum += i
	}
	return sum
}

func stage(in <-chan int, out chan<- int) {
	for v := range in {
		work(1500)
		out <- v + 1
	}
	close(out)
}

func main() {
	first := make(chan int)
	last := first
	for range 4 {
		next := make(chan int)
		go stage(last, next)
		last = next
	}
	go func() {
		for v := range 12 {
			first <- v
		}
		close(first)
	}()
	for range last {
	}
}
