package main

import "fmt"

func fib(n int) int {
	if n < 2 {
		return n
	}
	return fib(n-1) + fib(n-2)
}

func fibIter(n int) (a int) {
	b := 1
	for range n {
		a, b = b, a+b
	}
	return
}

func fibMemo() func(int) int {
	memo := make([]int, 100)
	var f func(int) int
	f = func(n int) int {
		if n < 2 {
			return n
		}
		if memo[n] == 0 {
			memo[n] = f(n-1) + f(n-2)
		}
		return memo[n]
	}
	return f
}

func main() {
	for i := 0; i < 15; i++ {
		fmt.Print(fib(i), " ")
	}
	fmt.Println()
	fmt.Println(fib(22), fibIter(90), fibMemo()(80))
}
