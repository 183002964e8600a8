package main

import "fmt"

func f(n int) {
	fmt.Println("f", n)
	if n == 0 {
		panic("deep")
	}
	f(n - 1)
	fmt.Println("not reached")
}

func main() {
	f(3)
}
