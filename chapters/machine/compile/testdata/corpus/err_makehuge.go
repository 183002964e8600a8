package main

import "fmt"

func main() {
	n := 1 << 62
	s := make([]int, n)
	fmt.Println(len(s))
}
