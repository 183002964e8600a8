package main

import "fmt"

func main() {
	a := []int{1, 2, 3}
	n := -2
	fmt.Println(a[n:])
}
