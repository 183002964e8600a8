package main

import "fmt"

type big struct {
	id   int
	data [64]int
	name string
	tail [5]byte
}

type nested struct {
	a, b big
	x    int32
}

type huge [2000]int32

func mk(id int) (b big) {
	b.id = id
	for i := range b.data {
		b.data[i] = id * i
	}
	b.name = fmt.Sprint("big", id)
	b.tail[4] = byte(id)
	return
}

func (b big) sum() (s int) {
	for _, v := range b.data {
		s += v
	}
	b.data[0] = 999
	return
}

func change(b big) big {
	b.id++
	b.data[63] = -1
	return b
}

func two(n nested) (big, int32, big) { return n.b, n.x, n.a }

func last(h huge) int32 {
	h[0] = 5
	return h[len(h)-1]
}

var g nested

func main() {
	a := mk(1)
	b := a
	b.data[10] = 77
	c := change(a)
	fmt.Println(a.sum(), b.sum(), c.sum(), a.id, c.id, c.data[63], a.data[63], a == b, a == mk(1), c.name, c.tail)
	n := nested{a, b, 42}
	x, y, z := two(n)
	fmt.Println(x == b, y, z == a)
	g = n
	g.a, g.b = g.b, g.a
	fmt.Println(g.a == n.b, g.b == n.a, g == n)
	p := &g
	q := *p
	p.x = 1
	p.b.name = "changed"
	fmt.Println(q.x, p.x, q.b.name, p.b.name)
	arr := []big{a, b, c}
	arr[0], arr[2] = arr[2], arr[0]
	fmt.Println(arr[0].id, arr[2].id, len(arr))
	arr = append(arr, mk(9), arr[1])
	fmt.Println(arr[3].name, arr[4].data[10], cap(arr) >= 5)
	for i, v := range arr[:2] {
		v.id = 100
		fmt.Println(i, v.id, arr[i].id)
	}
	var h huge
	h[1999] = 8
	k := h
	k[5] = 3
	fmt.Println(last(h), h[0], k[5], h[5], h == k, h == huge{1999: 8})
	var e any = a
	fmt.Println(e == any(mk(1)), e == any(b))
	f := func() big { return b }
	fmt.Println(f().data[10], f().name, f().sum(), mk(3).data[2])
	pa := &[3]big{a, b, c}
	for i := range pa {
		pa[i].data[1] = i
	}
	fmt.Println(pa[2].data[1], len(pa), a.data[1])
	ch := [2][3]big{}
	ch[1][2] = c
	ch2 := ch
	ch2[1][2].id = -5
	fmt.Println(ch[1][2].id, ch2[1][2].id, ch == ch2)
}
