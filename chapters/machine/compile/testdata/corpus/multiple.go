package main

import "fmt"

func divmod(a, b int) (q, r int) {
	q = a / b
	r = a % b
	return
}

func three() (int, string, bool) { return 1, "two", true }

func pass(a int, s string, b bool) (string, int, bool) { return s + "!", a + 1, !b }

func named(n int) (x, y int, s string) {
	if n > 0 {
		x, y = n, n*2
		s = "pos"
		return
	}
	return -1, -2, "neg"
}

func shadow() (err string) {
	if err := "inner"; err != "" {
		return err + "?"
	}
	return
}

func swap[T any](a, b T) (T, T) { return b, a }

func variadic(pre string, xs ...int) (n, sum int) {
	for _, x := range xs {
		sum += x
	}
	return len(xs), sum
}

func passthrough(xs ...int) int { _, s := variadic("", xs...); return s }

func anys(xs ...any) string { return fmt.Sprint(xs...) }

func modify(xs ...int) { xs[0] = 100 }

func main() {
	q, r := divmod(17, 5)
	fmt.Println(q, r)
	a, b, c := three()
	fmt.Println(a, b, c)
	fmt.Println(pass(three()))
	s, n, t := pass(three())
	fmt.Println(s, n, t)
	fmt.Println(named(3))
	fmt.Println(named(0))
	fmt.Println(shadow())
	x, y := 1, 2
	x, y = y, x
	fmt.Println(x, y)
	x, y = swap(x, y)
	fmt.Println(x, y)
	fmt.Println(swap("a", "b"))
	fmt.Println(variadic("a"))
	fmt.Println(variadic("a", 1, 2, 3))
	sl := []int{4, 5, 6}
	fmt.Println(variadic("a", sl...))
	modify(sl...)
	fmt.Println(sl, passthrough(1, 2), passthrough())
	fmt.Println(anys(1, "a", true), anys(), anys(nil))
	_, z := divmod(9, 4)
	_ = z
	i := 0
	i, arr := 1, [3]int{7, 8, 9}
	arr[i], i = 5, 2
	fmt.Println(arr, i)
	m := []int{0, 1, 2}
	k := 0
	k, m[k] = 2, 9
	fmt.Println(k, m)
	m[0], m[1], m[2] = m[2], m[0], m[1]
	fmt.Println(m)
}
