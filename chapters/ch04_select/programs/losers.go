//go:build ignore

package main

import "fmt"

func send(c chan string, what string) {
	c <- what
}

func main() {
	bread, fish, tea := make(chan string), make(chan string), make(chan string)
	go send(fish, "fish")
	go send(tea, "tea")
	for range 2 {
		select {
		case what := <-bread:
			fmt.Println("first came", what)
		case what := <-fish:
			fmt.Println("first came", what)
		case what := <-tea:
			fmt.Println("first came", what)
		}
	}
}
