package main

func main() {
	c, d := make(chan int), make(chan int)
	close(c)
	select {
	case c <- 1:
	case <-d:
	}
}
