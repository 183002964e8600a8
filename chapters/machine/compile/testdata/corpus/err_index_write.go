package main

import "fmt"

func main() {
	a := make([]int, 3)
	for i := 0; ; i++ {
		a[i] = i
		fmt.Println(i)
	}
}
