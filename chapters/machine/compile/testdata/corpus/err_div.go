package main

import "fmt"

func main() {
	a, b := 1, 0
	fmt.Println("x")
	fmt.Println(a / b)
}
