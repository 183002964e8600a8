package main

import "fmt"

func main() {
	n, c := 5, 2
	s := make([]int, n, c)
	fmt.Println(s)
}
