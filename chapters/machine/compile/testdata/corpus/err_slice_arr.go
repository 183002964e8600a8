package main

import "fmt"

func main() {
	var a [4]int
	n := 5
	fmt.Println(a[:n])
}
