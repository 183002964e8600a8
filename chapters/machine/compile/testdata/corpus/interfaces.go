package main

import "fmt"

type pt struct{ x, y int }

func show(v any) { fmt.Println(v) }

func same(a, b any) bool { return a == b }

func main() {
	var a any
	fmt.Println(a == nil, a)
	a = 5
	show(a)
	a = "str"
	show(a)
	a = pt{1, 2}
	show(a)
	p := pt{3, 4}
	a = p
	p.x = 99
	show(a)
	fmt.Println(same(1, 1), same(1, 2), same(1, int64(1)), same("a", "a"), same("a", "b"), same(nil, nil), same(nil, 0))
	fmt.Println(same(pt{1, 2}, pt{1, 2}), same(pt{1, 2}, pt{2, 1}), same(&p, &p), same(&p, &pt{}), same(1.5, 1.5))
	fmt.Println(same([2]string{"a", "b"}, [2]string{"a", "b"}), same(struct{ a any }{1}, struct{ a any }{1}))
	var b, c any = 3, 3
	fmt.Println(b == c, b != c, b == 3, b == "3", 3 == b)
	xs := []any{1, "two", 3.0, nil, pt{5, 6}, []int{7}, &p == &p}
	for i, x := range xs {
		fmt.Println(i, x)
	}
	xs[0], xs[1] = xs[1], xs[0]
	fmt.Println(xs[0], xs[1])
	var e error
	fmt.Println(e == nil)
	type pair struct{ a, b any }
	q := pair{1, "x"}
	r := q
	r.b = 2
	fmt.Println(q, r, q == r, q == pair{1, "x"})
	var f any = main
	fmt.Println(f == nil)
	var np *pt
	a = np
	fmt.Println(a == nil, np == nil)
}
