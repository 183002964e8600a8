package main

import "fmt"

func main() {
	a := []int{1, 2, 3}
	i := 5
	fmt.Println("x")
	fmt.Println(a[i])
}
