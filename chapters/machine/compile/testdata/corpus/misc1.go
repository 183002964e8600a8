package main

import "fmt"

type Op func(a, b int) (int, error)

type Matrix[T int | float64] [][]T

func (m Matrix[T]) Mul(o Matrix[T]) Matrix[T] {
	r := make(Matrix[T], len(m))
	for i := range m {
		r[i] = make([]T, len(o[0]))
		for j := range o[0] {
			for k := range o {
				r[i][j] += m[i][k] * o[k][j]
			}
		}
	}
	return r
}

type Set[T comparable] struct{ items []T }

func (s *Set[T]) Add(x T) bool {
	for _, y := range s.items {
		if x == y {
			return false
		}
	}
	s.items = append(s.items, x)
	return true
}

type Node[K any, V any] struct {
	k     K
	v     V
	left  *Node[K, V]
	right *Node[K, V]
}

type Tree[K any, V any] struct {
	root *Node[K, V]
	less func(a, b K) bool
	n    int
}

func (t *Tree[K, V]) Put(k K, v V) {
	p := &t.root
	for *p != nil {
		switch {
		case t.less(k, (*p).k):
			p = &(*p).left
		case t.less((*p).k, k):
			p = &(*p).right
		default:
			(*p).v = v
			return
		}
	}
	*p = &Node[K, V]{k: k, v: v}
	t.n++
}

func (t *Tree[K, V]) Walk(f func(K, V)) {
	var walk func(*Node[K, V])
	walk = func(n *Node[K, V]) {
		if n != nil {
			walk(n.left)
			f(n.k, n.v)
			walk(n.right)
		}
	}
	walk(t.root)
}

type Num interface{ ~int | ~float64 }

func SumMap[T any, N Num](xs []T, f func(T) N) (n N) {
	for _, x := range xs {
		n += f(x)
	}
	return
}

func Ptr[T any](x T) *T { return &x }

func Zero[T any]() (z T) { return }

type Stringish interface{ ~string }

func Cat[S Stringish](a, b S) S { return a + b }

type Name string

func Keys[T fmt.Stringer](xs ...T) (s string) {
	for _, x := range xs {
		s += x.String() + ";"
	}
	return
}

type ID int

func (i ID) String() string { return fmt.Sprintf("#%d", int(i)) }

func main() {
	m := Matrix[int]{{1, 2}, {3, 4}}
	fmt.Println(m.Mul(m), Matrix[float64]{{0.5}}.Mul(Matrix[float64]{{4}}))
	var s Set[string]
	fmt.Println(s.Add("a"), s.Add("a"), s.Add("b"), s.items)
	t := &Tree[string, int]{less: func(a, b string) bool { return a < b }}
	for i, w := range []string{"m", "c", "x", "a", "m", "z"} {
		t.Put(w, i)
	}
	t.Walk(func(k string, v int) { fmt.Print(k, "=", v, " ") })
	fmt.Println(t.n)
	fmt.Println(SumMap([]string{"a", "bb"}, func(s string) int { return len(s) }), SumMap([]int{1, 2}, func(i int) float64 { return float64(i) / 2 }))
	p := Ptr(5)
	*p++
	fmt.Println(*p, *Ptr("s"), Zero[int](), Zero[string]() == "", Zero[*int]() == nil, Zero[[2]int]())
	fmt.Println(Cat(Name("a"), "b"), Cat("x", "y"), Keys(ID(1), ID(2)))
	fmt.Printf("%T %T %v\n", Cat(Name("a"), "b"), t, ID(7))
	var op Op = func(a, b int) (int, error) {
		if b == 0 {
			return 0, fmt.Errorf("no")
		}
		return a / b, nil
	}
	fmt.Println(op(6, 3))
	fmt.Println(op(6, 0))
}
