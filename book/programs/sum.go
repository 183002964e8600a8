//go:build ignore

// Sum adds numbers, in order to be looked at as the machine's instructions.
package main

func sum(n int) int {
	s := 0
	for i := 1; i <= n; i++ {
		s += i
	}
	return s
}

func main() {
	println(sum(10))
}
