package main

import "fmt"

func counter() (func() int, func()) {
	n := 0
	return func() int { n++; return n }, func() { n = 0 }
}

func adder(a int) func(int) func(int) int {
	return func(b int) func(int) int {
		return func(c int) int { a++; return a + b + c }
	}
}

func apply(fs []func(int) int, x int) int {
	for _, f := range fs {
		x = f(x)
	}
	return x
}

type op func(float64, float64) float64

func compose(f, g func(string) string) func(string) string {
	return func(s string) string { return f(g(s)) }
}

func main() {
	inc, reset := counter()
	inc()
	inc()
	fmt.Println(inc())
	reset()
	fmt.Println(inc())
	f := adder(1)(2)
	fmt.Println(f(3), f(3))
	fmt.Println(apply([]func(int) int{func(x int) int { return x + 1 }, func(x int) int { return x * x }}, 4))
	var fs []func() int
	for i := 0; i < 3; i++ {
		fs = append(fs, func() int { i += 10; return i })
	}
	for _, f := range fs {
		fmt.Print(f(), " ", f(), " ")
	}
	fmt.Println()
	var gs []func()
	for _, s := range []string{"a", "b", "c"} {
		gs = append(gs, func() { fmt.Print(s, " ") })
	}
	for _, g := range gs {
		g()
	}
	fmt.Println()
	for i := range 3 {
		defer1 := func() { fmt.Print(i, ";") }
		defer1()
	}
	fmt.Println()
	ops := [4]op{
		func(a, b float64) float64 { return a + b },
		func(a, b float64) float64 { return a - b },
		func(a, b float64) float64 { return a * b },
		func(a, b float64) float64 { return a / b },
	}
	for _, o := range ops {
		fmt.Print(o(7, 2), " ")
	}
	fmt.Println()
	h := compose(func(s string) string { return "<" + s + ">" }, func(s string) string { return s + s })
	fmt.Println(h("x"), h(h("y")))
	func(a, b int) {
		fmt.Println(a - b)
	}(5, 3)
	var rec func(n int) int
	rec = func(n int) int {
		if n == 0 {
			return 1
		}
		return n * rec(n-1)
	}
	fmt.Println(rec(10), rec == nil)
	x := 1
	{
		x := 2
		func() { x++ }()
		fmt.Println(x)
	}
	fmt.Println(x)
	var nilf func()
	fmt.Println(nilf == nil)
}
