package main

import "fmt"

var a = b + 1
var b = f("b", c*2)
var c = f("c", 5)

var (
	x, y = pair()
	_    = f("blank", 0)
	arr  = [3]int{a, b, c}
	tab  = []string{"x", "y"}
	pt   = &struct{ n int }{f("pt", 9)}
	fn   = func(n int) int { return n * z }
	z    = f("z", 3)
)

var zero struct {
	n int
	s string
}

func f(s string, n int) int {
	fmt.Println("init", s, n)
	return n
}

func pair() (int, string) {
	fmt.Println("pair")
	return 1, "p"
}

func init() {
	fmt.Println("init 1", a, b, c)
	a = 100
}

func init() {
	fmt.Println("init 2", a, x, y, arr, tab, pt.n, fn(5))
}

func main() {
	fmt.Println("main", a, zero.n, zero.s == "", z)
	z++
	zero.n--
	arr[1] = -1
	tab = append(tab, "z")
	fmt.Println(z, zero, arr, tab, fn(1))
}
