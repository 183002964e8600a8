package main

import "fmt"

type pad struct {
	a int8
	b int64
	c int16
	d int32
	e bool
	f string
	g uint8
}

type blank struct {
	a int
	_ int
	b int
}

type tiny struct{ a, b, c uint8 }
type tiny2 struct {
	t tiny
	x uint16
	u tiny
}

func get(t tiny2) (tiny, uint16, tiny) { return t.t, t.x, t.u }

func mk(n int) tiny2 {
	return tiny2{tiny{uint8(n), uint8(n + 1), uint8(n + 2)}, uint16(n * 300), tiny{9, 8, 7}}
}

type f32s struct {
	a, b float32
	n    int32
}

type neg struct {
	a int8
	b int16
	c int32
	d [3]int8
}

func (n neg) flip() neg { return neg{-n.a, -n.b, -n.c, [3]int8{-n.d[0], -n.d[1], -n.d[2]}} }

func main() {
	p := pad{-1, 2, -3, -4, true, "f", 200}
	q := p
	fmt.Println(p == q, p)
	q.e = false
	fmt.Println(p == q, q)
	q = pad{}
	q.a, q.b, q.c, q.d, q.e, q.f, q.g = -1, 2, -3, -4, true, "f", 200
	fmt.Println(p == q)
	x, y := blank{a: 1, b: 2}, blank{a: 1, b: 2}
	fmt.Println(x == y)
	t, n, u := get(mk(5))
	fmt.Println(t, n, u, mk(5) == mk(5), mk(5) == mk(6), t == mk(5).t, mk(250).t.c)
	arr := [4]tiny{{1, 2, 3}, {4, 5, 6}}
	arr[2] = arr[1]
	arr[2].b = 50
	arr[3] = tiny{c: 255}
	i := 2
	fmt.Println(arr, arr[i], arr[i] == arr[1], arr[i-1] == tiny{4, 5, 6})
	f := f32s{1.5, -2.25, -7}
	g := f
	g.b *= 2
	fmt.Println(f, g, f == g, g.a+g.b, f.n)
	m := neg{-128, 300, -70000, [3]int8{1, -2, 127}}
	fmt.Println(m, m.flip(), m.flip().flip() == m, m.flip().d[1], m.flip().c)
	sl := []tiny2{mk(1), mk(2)}
	sl[0].u.b = 77
	sl = append(sl, sl[0])
	fmt.Println(sl, sl[2] == sl[0])
	b := [3]bool{true, false, true}
	c := b
	c[1] = true
	fmt.Println(b, c, b == c, c == [3]bool{true, true, true})
	ptr := &sl[1]
	ptr.t.a++
	ptr.x--
	fmt.Println(*ptr, sl[1])
	var iface any = mk(3)
	fmt.Println(iface == any(mk(3)), iface.(tiny2).x, iface.(tiny2).u)
}
