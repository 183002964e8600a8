package main

import "fmt"

func f(x int) int {
	defer func() {
		if x > 1 {
			panic(fmt.Errorf("x is %d", x))
		}
	}()
	if x == 0 {
		return 1
	}
	return f(
		x-1) + 2
}

func g() {
	defer func() {
		fmt.Println(f(1))
		fmt.Println(f(2))
	}()
	fmt.Println("g")
}

func main() {
	g()
}
