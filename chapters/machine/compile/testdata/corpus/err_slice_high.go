package main

import "fmt"

func main() {
	a := []int{1, 2, 3}
	n := 5
	fmt.Println(a[1:n])
}
