package main

import "fmt"

func main() {
	n := 1 << 62
	s := make([]int, 1, n)
	fmt.Println(len(s))
}
