package main

import "fmt"

type big struct {
	a, b, c int
	s       string
}

// Package variables: what does not leave a function may begin on Go's stack,
// with another capacity.
var (
	a []int
	b []byte
	c []string
	d []int32
	e []big
	f []*int
	g [][]int
	h []bool
	i []struct{}
	j []any
	x []int
	y []byte
	z []int32
	w []int32
)

func main() {
	last := [10]int{}
	for n := 0; n < 3000; n++ {
		a = append(a, n)
		b = append(b, byte(n))
		c = append(c, "")
		d = append(d, 0)
		e = append(e, big{a: n})
		f = append(f, nil)
		g = append(g, nil)
		h = append(h, true)
		i = append(i, struct{}{})
		j = append(j, n)
		now := [10]int{cap(a), cap(b), cap(c), cap(d), cap(e), cap(f), cap(g), cap(h), 0, cap(j)}
		if now != last {
			fmt.Println(n, now)
			last = now
		}
	}
	fmt.Println(len(i), a[2999], b[2999], e[2999].a, len(j))
	x = append([]int{1, 2, 3}, 4, 5, 6, 7)
	fmt.Println(len(x), cap(x), x)
	y = append([]byte("hello"), " world, this is long"...)
	fmt.Println(len(y), cap(y), string(y))
	z = append([]int32(nil), make([]int32, 5)...)
	fmt.Println(len(z), cap(z), z)
	w = append(z[:2], z[3:]...)
	fmt.Println(len(w), cap(w), w, z)
}
