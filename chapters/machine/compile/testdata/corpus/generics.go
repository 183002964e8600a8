package main

import "fmt"

type Number interface {
	~int | ~int8 | ~int64 | ~float64
}

func Sum[T Number](xs []T) (s T) {
	for _, x := range xs {
		s += x
	}
	return
}

func Map[T, U any](xs []T, f func(T) U) []U {
	out := make([]U, 0, len(xs))
	for _, x := range xs {
		out = append(out, f(x))
	}
	return out
}

func Filter[T any](xs []T, keep func(T) bool) (out []T) {
	for _, x := range xs {
		if keep(x) {
			out = append(out, x)
		}
	}
	return
}

func Reduce[T, A any](xs []T, a A, f func(A, T) A) A {
	for _, x := range xs {
		a = f(a, x)
	}
	return a
}

type Stack[T any] struct{ items []T }

func (s *Stack[T]) Push(x T) { s.items = append(s.items, x) }
func (s *Stack[T]) Pop() (x T, ok bool) {
	if len(s.items) == 0 {
		return x, false
	}
	x = s.items[len(s.items)-1]
	s.items = s.items[:len(s.items)-1]
	return x, true
}

type Pair[K comparable, V any] struct {
	Key K
	Val V
}

type List[T any] struct {
	head *elem[T]
	n    int
}
type elem[T any] struct {
	v    T
	next *elem[T]
}

func (l *List[T]) Add(v T) { l.head = &elem[T]{v, l.head}; l.n++ }
func (l *List[T]) Each(f func(T)) {
	for e := l.head; e != nil; e = e.next {
		f(e.v)
	}
}

func Index[T comparable](xs []T, x T) int {
	for i, v := range xs {
		if v == x {
			return i
		}
	}
	return -1
}

func Max[T int | string](a, b T) T {
	if a > b {
		return a
	}
	return b
}

type MyInt int

func main() {
	fmt.Println(Sum([]int{1, 2, 3}), Sum([]float64{1.5, 2}), Sum([]MyInt{4, 5}), Sum([]int8{100, 100}))
	fmt.Println(Map([]int{1, 2, 3}, func(i int) string { return fmt.Sprint("n", i) }))
	fmt.Println(Filter([]int{1, 2, 3, 4}, func(i int) bool { return i%2 == 0 }))
	fmt.Println(Reduce([]string{"a", "bb", "ccc"}, 0, func(a int, s string) int { return a + len(s) }))
	var s Stack[string]
	s.Push("a")
	s.Push("b")
	fmt.Println(s.Pop())
	fmt.Println(s.Pop())
	fmt.Println(s.Pop())
	p := Pair[string, int]{"k", 1}
	fmt.Printf("%v %+v %T\n", p, p, p)
	var l List[float64]
	l.Add(1.5)
	l.Add(2.5)
	l.Each(func(f float64) { fmt.Print(f, " ") })
	fmt.Println(l.n)
	fmt.Println(Index([]string{"x", "y"}, "y"), Index([]int{1}, 5), Index([]Pair[int, int]{{1, 2}}, Pair[int, int]{1, 2}))
	fmt.Println(Max(1, 2), Max("a", "b"))
	f := Max[int]
	fmt.Println(f(9, 3))
	fmt.Printf("%T %T\n", Stack[int]{}, &List[MyInt]{})
}
