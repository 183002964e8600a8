package main

import "fmt"

func main() {
	a := []int{1, 2, 3}
	n := 3
	m := 2
	fmt.Println(a[n:m:3])
}
