//go:build ignore

// Closing wakes three receivers with one close. Each gets a zero value.
package main

import "fmt"

func receive(c <-chan int, results chan<- string) {
	n, ok := <-c
	results <- fmt.Sprintln(n, ok)
}

func main() {
	c, results := make(chan int), make(chan string, 3)
	for range 3 {
		go receive(c, results)
	}
	c <- 7
	close(c)
	sevens, zeros := 0, 0
	for range 3 {
		switch <-results {
		case "7 true\n":
			sevens++
		case "0 false\n":
			zeros++
		}
	}
	fmt.Println(sevens, "got the seven,", zeros, "got a zero")
}
