package main

import "fmt"

func main() {
	x := 10
	for i := 3; i >= 0; i-- {
		fmt.Println(i)
		x /= i
	}
}
