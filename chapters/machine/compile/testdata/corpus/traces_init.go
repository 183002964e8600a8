package main

import "fmt"

var f = func(n int) int {
	return func() int {
		return 10 / n
	}()
}

var x = f(2)

func init() {
	fmt.Println("first")
}

func init() {
	fmt.Println(x)
	func() {
		fmt.Println(f(0))
	}()
}

func main() { fmt.Println("not reached") }
