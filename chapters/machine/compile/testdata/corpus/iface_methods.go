package main

import "fmt"

type Shape interface {
	Area() float64
	Perimeter() float64
}

type Named interface{ Name() string }

type NamedShape interface {
	Shape
	Named
}

type Rect struct{ w, h float64 }
type Circle struct{ r float64 }
type Square struct {
	Rect
	label string
}
type Side float32

func (r Rect) Area() float64         { return r.w * r.h }
func (r Rect) Perimeter() float64    { return 2 * (r.w + r.h) }
func (c *Circle) Area() float64      { return 3 * c.r * c.r }
func (c *Circle) Perimeter() float64 { return 6 * c.r }
func (s Square) Name() string        { return "square " + s.label }
func (s Side) Area() float64         { return float64(s * s) }
func (s Side) Perimeter() float64    { return float64(4 * s) }

func total(shapes ...Shape) (a, p float64) {
	for _, s := range shapes {
		a += s.Area()
		p += s.Perimeter()
	}
	return
}

type Counter interface {
	Inc(by int) int
	Get() (n int, ok bool)
}
type count struct{ n int }

func (c *count) Inc(by int) int   { c.n += by; return c.n }
func (c *count) Get() (int, bool) { return c.n, c.n > 0 }

type small int8

func (s small) Inc(by int) int   { return int(s) + by }
func (s small) Get() (int, bool) { return int(s), s < 0 }

type Fn func(int) int

func (f Fn) Inc(by int) int   { return f(by) }
func (f Fn) Get() (int, bool) { return f(0), true }

type big struct{ a [50]int }

func (b big) Inc(by int) int   { b.a[7] += by; return b.a[7] }
func (b big) Get() (int, bool) { return b.a[49], false }

type none struct{}

func (none) Inc(by int) int   { return by }
func (none) Get() (int, bool) { return 0, false }

type wrap struct{ Counter }

func main() {
	c := &Circle{2}
	fmt.Println(total(Rect{2, 3}, c, Square{Rect{1, 1}, "s"}, Side(1.5)))
	var s Shape = Square{Rect{2, 2}, "x"}
	if n, ok := s.(Named); ok {
		fmt.Println(n.Name(), s.Area())
	}
	_, ok := Shape(c).(Named)
	fmt.Println(ok)
	var ns NamedShape = Square{Rect{3, 3}, "y"}
	s = ns
	fmt.Println(ns.Name(), s.Perimeter(), ns.Area())
	var b big
	b.a[7], b.a[49] = 5, 6
	cs := []Counter{&count{1}, small(-3), Fn(func(x int) int { return x * 2 }), b, none{}, wrap{&count{10}}, &wrap{small(4)}}
	for _, c := range cs {
		n, ok := c.Get()
		fmt.Println(c.Inc(2), c.Inc(3), n, ok)
	}
	f := cs[0].Inc
	f(100)
	g := Counter.Get
	fmt.Println(g(cs[0]))
	h := cs[5].(wrap).Counter.(*count)
	h.n = 77
	fmt.Println(cs[5].Get())
	fmt.Println(b.a[7])
	var sh Shape
	fmt.Println(sh == nil)
	sh = (*Circle)(nil)
	fmt.Println(sh == nil)
}
