package main

func main() {
	n := -1
	println(make(chan int, n))
}
