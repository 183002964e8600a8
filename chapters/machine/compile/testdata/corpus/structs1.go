package main

import "fmt"

type point struct{ x, y int }

type rect struct {
	min, max point
	name     string
}

type mixed struct {
	a int8
	b int32
	c bool
	d string
	e uint16
	f float32
	g byte
	h []int
	i *point
}

func (p point) add(q point) point { return point{p.x + q.x, p.y + q.y} }

func (r *rect) grow(n int) {
	r.min = r.min.add(point{-n, -n})
	r.max.x += n
	r.max.y += n
}

func (r rect) area() int { return (r.max.x - r.min.x) * (r.max.y - r.min.y) }

func mk(n int) mixed {
	return mixed{a: int8(n), b: -5, c: n > 0, d: "d", e: 65535, f: 1.5, g: 'g', h: []int{n}, i: &point{n, n}}
}

func main() {
	p := point{1, 2}
	q := p
	q.x = 10
	fmt.Println(p, q, p == q, p == point{1, 2}, p.add(q))
	r := rect{point{0, 0}, point{2, 3}, "r"}
	s := r
	s.grow(1)
	fmt.Println(r, s, r.area(), s.area(), r == s)
	fmt.Printf("%v %+v\n", r, s)
	m := mk(3)
	m2 := m
	m2.b++
	m2.a = -128
	m2.e++
	m2.i.x = 42
	fmt.Println(m.a, m.b, m.c, m.d, m.e, m.f, m.g, m.h, *m.i)
	fmt.Println(m2.a, m2.b, m2.c, m2.d, m2.e, m2.f, m2.g, m2.h, *m2.i)
	pp := &p
	pp.x, pp.y = pp.y, pp.x
	fmt.Println(p, *pp)
	arr := []point{{1, 2}, {3, 4}}
	for i := range arr {
		arr[i].x *= 10
	}
	for _, v := range arr {
		v.y = 0
	}
	fmt.Println(arr)
	ptrs := []*point{{5, 6}, {7, 8}}
	for _, v := range ptrs {
		v.y = 0
	}
	fmt.Println(*ptrs[0], *ptrs[1])
	anon := struct {
		id int
		ok bool
	}{7, true}
	fmt.Printf("%v %+v %T\n", anon, anon, anon)
	var zero mixed
	fmt.Println(zero.d == "", zero.h == nil, zero.i == nil)
	fmt.Println(mk(-1).d, mk(4).i.y, mk(5).h[0], mk(6).b)
	var e1, e2 struct{}
	fmt.Println(e1 == e2, e1)
}
