package main

import "fmt"

type pair struct {
	s string
	n int
}

func rotate(n int) (a, b, c, d int) {
	a, b, c, d = 1, 2, 3, 4
	for range n {
		a, b, c, d = b, c, d, a
	}
	return
}

func rotateStrings(n int) (a, b, c string) {
	a, b, c = "x", "yy", "zzz"
	for range n {
		a, b, c = c, a, b
	}
	return
}

func swapSlices(n int) ([]int, []int) {
	p, q := []int{1}, []int{2, 3}
	for i := range n {
		p, q = q, p
		p[0] += i
	}
	return p, q
}

func mixed(n int) string {
	a, b := 1, 2
	s, t := "s", "t"
	f, g := 0.5, 1.5
	x, y := any(1), any("y")
	for i := 0; i < n; i++ {
		a, b = b, a
		s, t = t, s
		f, g = g, f
		x, y = y, x
		if i%3 == 0 {
			a, b = b+1, a
			continue
		}
		if i%5 == 0 {
			s, t = s+t, s
		}
	}
	return fmt.Sprint(a, b, s, t, f, g, x, y)
}

func structs(n int) (pair, pair) {
	p, q := pair{"p", 1}, pair{"q", 2}
	for range n {
		p, q = q, p
		p.n *= 3
	}
	return p, q
}

func params(a, b int, s, t string) (int, int, string, string) {
	for a < 100 {
		a, b = b, a+b
		s, t = t, s
	}
	return b, a, t, s
}

func nested(n int) (int, int, int) {
	a, b, c := 1, 2, 3
	for i := range n {
		for j := range i {
			if j%2 == 0 {
				a, b = b, a
			} else {
				b, c = c, b
			}
		}
		a, c = c, a
	}
	return a, b, c
}

func rev(s []int) []int {
	for i, j := 0, len(s)-1; i < j; i, j = i+1, j-1 {
		s[i], s[j] = s[j], s[i]
	}
	return s
}

func main() {
	for n := range 6 {
		fmt.Println(rotate(n))
		fmt.Println(rotateStrings(n))
		fmt.Println(swapSlices(n))
		fmt.Println(mixed(n * 3))
		fmt.Println(structs(n))
		fmt.Println(nested(n + 3))
	}
	fmt.Println(params(1, 2, "a", "bb"))
	fmt.Println(rev([]int{1, 2, 3, 4, 5}))
}
