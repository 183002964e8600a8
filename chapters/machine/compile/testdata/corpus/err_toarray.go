package main

import "fmt"

func main() {
	s := []int{1, 2}
	a := [4]int(s)
	fmt.Println(a)
}
