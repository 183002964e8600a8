package main

func shut(c chan int) {
	close(c)
}

func main() {
	c := make(chan int)
	shut(c)
	shut(c)
}
