package main

import "fmt"

func main() {
	a := []int{1, 2, 3}
	n := 7
	fmt.Println(a[0:1:n])
}
