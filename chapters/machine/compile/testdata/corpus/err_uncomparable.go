package main

import "fmt"

func main() {
	var a, b any = []int{1}, []int{1}
	fmt.Println("x")
	fmt.Println(a == b)
}
