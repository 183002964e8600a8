package main

import "fmt"

func a(n int) int { var x [10]int; x[n%10] = n; return b(n) + x[(n+1)%10] }
func b(n int) int { return a(n+1) * 2 }

func main() {
	fmt.Println("start")
	a(1)
}
