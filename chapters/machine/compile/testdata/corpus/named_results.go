package main

import "fmt"

func a() (n int) {
	n = 5
	f := func() { n++ }
	f()
	return n * 2
}

func b() (x, y int, s string) {
	x, s = 1, "s"
	func() { y = x + 10 }()
	return
}

func c(n int) (r int) {
	for i := range n {
		if i == 3 {
			return
		}
		r += i
	}
	return r * 100
}

func d() (p *int) {
	v := 7
	p = &v
	return
}

func e(n int) (a [3]int, err error) {
	if n > 2 {
		return a, fmt.Errorf("n is %d", n)
	}
	a[n] = n
	return
}

func swap(a, b string) (x, y string) {
	x, y = b, a
	return y, x
}

func rec(n int) (s []int) {
	if n > 0 {
		s = rec(n - 1)
		s = append(s, n)
	}
	return
}

func blank(_ int, _ string) (_ int, ok bool) { return 1, true }

func params(a int, b []int, c string) (int, []int, string) {
	a++
	b = append(b, a)
	c += "!"
	g := func() { a *= 10; c = c + c }
	g()
	return a, b, c
}

func main() {
	fmt.Println(a())
	fmt.Println(b())
	fmt.Println(c(2), c(3), c(10))
	fmt.Println(*d())
	fmt.Println(e(1))
	fmt.Println(e(3))
	fmt.Println(swap("a", "b"))
	fmt.Println(rec(4), blankOK())
	fmt.Println(params(1, []int{0}, "c"))
}

func blankOK() bool { _, ok := blank(1, ""); return ok }
