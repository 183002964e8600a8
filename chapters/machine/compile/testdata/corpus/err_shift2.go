package main

import "fmt"

func main() {
	var n int8 = -1
	x := uint8(5)
	x >>= n
	fmt.Println(x)
}
