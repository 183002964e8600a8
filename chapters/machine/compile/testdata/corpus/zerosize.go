package main

import "fmt"

type empty struct{}
type arr0 [0]int
type withEmpty struct {
	a int
	e empty
	b int8
	z arr0
}

func (empty) hi() string   { return "hi" }
func (*empty) ptr() string { return "ptr" }

func take(e empty, n int, z arr0) (empty, int) { return e, n + len(z) }

func main() {
	var e empty
	fmt.Println(e.hi(), e.ptr(), e == empty{}, e)
	_, n := take(e, 5, arr0{})
	fmt.Println(n)
	w := withEmpty{1, e, 2, arr0{}}
	v := w
	v.b = 3
	fmt.Println(w, v, w == v, v.e == e)
	s := make([]empty, 3)
	s = append(s, e, empty{})
	fmt.Println(len(s), s)
	for i, x := range s {
		_ = x
		fmt.Print(i)
	}
	fmt.Println()
	f := func(e empty) empty { return e }
	fmt.Println(f(e))
	var a any = e
	fmt.Println(a == any(empty{}), a)
	p := new(empty)
	*p = empty{}
	fmt.Println(*p, p != nil)
	z := [5]empty{}
	fmt.Println(len(z), z[2])
	g := func() {}
	g()
	var st struct{}
	_ = st
	t := [0]string{}
	for range t {
		fmt.Println("never")
	}
	fmt.Println(t == [0]string{})
}
