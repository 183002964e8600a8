package main

import "fmt"

func main() {
	n := -3
	fmt.Println("x")
	fmt.Println(1 << n)
}
