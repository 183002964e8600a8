package main

import "fmt"

func f(s string, n int) int {
	fmt.Print(s, " ")
	return n
}

type t struct{ a, b int }

func (x t) m(n int) t { fmt.Print("m", n, " "); return t{x.a + n, x.b} }

func pair(s string) (int, int) { fmt.Print(s, " "); return 1, 2 }

func main() {
	fmt.Println(f("a", 1) + f("b", 2)*f("c", 3))
	arr := []int{f("x", 1), f("y", 2), f("z", 3)}
	fmt.Println(arr)
	arr[f("i", 0)], arr[f("j", 1)] = f("k", 10), f("l", 20)
	fmt.Println(arr)
	fmt.Println(f("p", 0) == 1 && f("q", 1) == 1, f("r", 1) == 1 || f("s", 0) == 0)
	s := t{f("b", 2), f("a", 1)}
	fmt.Println(s)
	fmt.Println(t{}.m(1).m(2).m(f("arg", 3)))
	switch f("sw", 2) {
	case f("c1", 1):
		fmt.Println("one")
	case f("c2", 2):
		fmt.Println("two")
	case f("c3", 3):
		fmt.Println("three")
	}
	for i := f("init", 0); i < f("cond", 2); i += f("post", 1) {
		fmt.Print("body ")
	}
	fmt.Println()
	for i := range f("range", 3) {
		fmt.Print(i)
	}
	fmt.Println()
	for i, v := range []int{f("e0", 5), f("e1", 6)} {
		fmt.Print(i, v, " ")
	}
	fmt.Println()
	a, b := pair("pair")
	a, b = b, a
	fmt.Println(a, b)
	var fn func(int, int) int
	get := func(s string) func(int, int) int {
		fmt.Print(s, " ")
		return func(a, b int) int { return a - b }
	}
	fn = get("get")
	fmt.Println(fn(f("l", 5), f("r", 3)), get("g2")(f("u", 1), f("v", 2)))
	m := [3][]int{{1}, {2, 3}, {4}}
	m[f("m", 1)][f("n", 0)] += f("o", 40)
	fmt.Println(m)
	x := 5
	p := &x
	*p += f("add", *p)
	fmt.Println(x)
	x, y := 1, f("y", 2)
	x, y = y, x+y
	fmt.Println(x, y)
}
