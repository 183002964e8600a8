package main

import "fmt"

func main() {
	a := []int{1}
	var i uint64 = 1<<64 - 5
	fmt.Println(a[i])
}
