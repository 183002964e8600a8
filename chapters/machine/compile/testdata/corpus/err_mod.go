package main

import "fmt"

func main() {
	var a, b uint8 = 1, 0
	fmt.Println(a % b)
}
