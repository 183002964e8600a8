package main

import "fmt"

func f(n int) int { return f(n+1) + 1 }

func main() {
	fmt.Println("start")
	f(1)
}
