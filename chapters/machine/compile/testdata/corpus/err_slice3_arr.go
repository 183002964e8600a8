package main

import "fmt"

func main() {
	var a [4]int
	n := 7
	fmt.Println(a[0:1:n])
}
