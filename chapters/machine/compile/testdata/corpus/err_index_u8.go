package main

import "fmt"

func main() {
	var a [10]int
	var i uint8 = 200
	fmt.Println(a[i])
}
