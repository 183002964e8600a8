package main

import "fmt"

type node struct {
	val  int
	next *node
}

func swap(a, b *int) { *a, *b = *b, *a }

func newInt(v int) *int { return &v }

func double(pp **int) { **pp *= 2 }

func main() {
	x, y := 1, 2
	swap(&x, &y)
	fmt.Println(x, y)
	p := newInt(5)
	q := p
	*q = 6
	fmt.Println(*p, p == q, p == newInt(6), p != nil)
	double(&p)
	fmt.Println(*p)
	pp := &p
	*pp = &x
	fmt.Println(*p, **pp)
	var n *node
	for i := 3; i > 0; i-- {
		n = &node{i, n}
	}
	for m := n; m != nil; m = m.next {
		fmt.Print(m.val, " ")
	}
	fmt.Println()
	n.next.next.val = 33
	fmt.Println(n.next.next.val, n.next.next.next == nil)
	a := [3]int{1, 2, 3}
	pa := &a[1]
	*pa = 20
	ps := &[]int{1, 2, 3}[2]
	*ps += 5
	fmt.Println(a, *ps)
	s := struct{ a, b int8 }{1, 2}
	pb := &s.b
	*pb = -7
	fmt.Println(s)
	z := new(int)
	*z++
	fmt.Println(*z, *new(string) == "")
	b := new(bool)
	*b = !*b
	fmt.Println(*b)
	i8 := new(int8)
	*i8--
	*i8 += -127
	*i8--
	fmt.Println(*i8)
	fs := []func(){func() { x++ }, func() { x *= 10 }}
	for _, f := range fs {
		f()
	}
	fmt.Println(x)
}
