package main

import "fmt"

func sum(s []int) (t int) {
	for _, v := range s {
		t += v
	}
	return
}
func show(s []int) { fmt.Println(len(s), cap(s), s) }
func main() {
	var a []int
	for i := range 6 {
		a = append(a, i)
		fmt.Println(len(a), cap(a))
	}
	var b []int
	for i := range 6 {
		b = append(b, i)
		fmt.Println(len(b), cap(b), sum(b))
	}
	var c []int
	for i := range 6 {
		c = append(c, i)
		show(c)
	}
	d := []int{}
	for i := range 6 {
		d = append(d, i)
		fmt.Println(len(d), cap(d))
	}
	e := make([]int, 0)
	for i := range 6 {
		e = append(e, i)
		fmt.Println(len(e), cap(e))
	}
	f := make([]string, 0, 1)
	for range 6 {
		f = append(f, "x")
		fmt.Println(len(f), cap(f))
	}
	for k := range 3 {
		var g []int
		for i := range 3 {
			g = append(g, i)
			fmt.Println("loop", k, len(g), cap(g))
		}
	}
	h := []int{1, 2, 3}
	h = append(h, 4)
	fmt.Println(len(h), cap(h))
	h = append(h, 5, 6, 7)
	fmt.Println(len(h), cap(h))
	x := []int{1, 2, 3, 4, 5}
	y := x[:2]
	y = append(y, 100)
	fmt.Println(len(y), cap(y), x)
	var z []int
	z = append(z, 1)
	z = append(z, 2)
	z = append(z, 3)
	fmt.Println(cap(z))
	z2 := append([]int(nil), 1, 2, 3)
	fmt.Println(cap(z2))
	z3 := append([]int(nil), x...)
	fmt.Println(cap(z3))
	var w []int
	func() { w = append(w, 1) }()
	fmt.Println(cap(w))
}
