//go:build ignore

// Deep calls itself, at first a little, then so often that its stack grows many times. Each
// call has the address of a variable of main, and of one of its caller.
package main

import (
	"fmt"
	"os"
	"strconv"
)

func add(n int, sum *int, above *int) int {
	if n == 0 {
		*sum += 1000000
		return 0
	}
	mine := n % 7
	*sum += n
	rest := add(n-1, sum, &mine)
	if mine != n%7+1 && n > 1 {
		panic("what add wrote is lost")
	}
	*above++
	return rest + mine
}

func main() {
	n := 5000
	if len(os.Args) > 1 {
		n, _ = strconv.Atoi(os.Args[1])
	}
	for _, depth := range []int{10, 100, n} {
		sum, top := 0, 0
		fmt.Println(depth, add(depth, &sum, &top), sum, top)
	}
}
