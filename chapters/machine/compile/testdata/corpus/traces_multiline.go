package main

import "fmt"

type b struct{ n int }

func (x *b) add(n int) *b {
	if n == 0 {
		panic(fmt.Sprintf(
			"bad %d",
			n,
		))
	}
	x.n += n
	return x
}

func apply(f func(int) int, n int) int {
	return f(
		n,
	)
}

func main() {
	x := (&b{}).
		add(1).
		add(2)
	fmt.Println(
		apply(func(n int) int {
			return n * 2
		}, 3),
		x.n,
	)
	for i := 0; i <
		3; i++ {
		x.
			add(5).
			add(
				2 - i,
			)
	}
}
