package main

func main() {
	c := make(chan int, 1)
	close(c)
	c <- 1
}
