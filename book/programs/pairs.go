//go:build ignore

// Pairs lets four pairs of goroutines pass a value to and fro: in each pair one runs and
// one waits.
package main

func work(n int) (sum int) {
	for i := range n {
		sum += i
	}
	return sum
}

func main() {
	done := make(chan bool)
	for range 4 {
		ping, pong := make(chan int), make(chan int)
		go func() {
			for range 12 {
				work(200)
				ping <- 1
				<-pong
			}
			done <- true
		}()
		go func() {
			for range 12 {
				<-ping
				work(200)
				pong <- 1
			}
		}()
	}
	for range 4 {
		<-done
	}
}
