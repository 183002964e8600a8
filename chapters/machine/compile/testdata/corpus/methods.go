package main

import "fmt"

type Celsius float64
type IntList []int
type Name string
type Fn func(int) int
type Grid [2][2]int

func (c Celsius) F() float64 { return float64(c)*9/5 + 32 }
func (l IntList) Sum() (s int) {
	for _, v := range l {
		s += v
	}
	return
}
func (l *IntList) Push(v int)   { *l = append(*l, v) }
func (n Name) Len() int         { return len(n) }
func (f Fn) Twice(x int) int    { return f(f(x)) }
func (g *Grid) Set(i, j, v int) { g[i][j] = v }
func (g Grid) Get(i, j int) int { return g[i][j] }

type Stack struct {
	data []int
	max  int
}

func NewStack(max int) *Stack { return &Stack{max: max} }
func (s *Stack) Push(v int) bool {
	if len(s.data) >= s.max {
		return false
	}
	s.data = append(s.data, v)
	return true
}
func (s *Stack) Pop() (v int, ok bool) {
	if len(s.data) == 0 {
		return
	}
	v = s.data[len(s.data)-1]
	s.data = s.data[:len(s.data)-1]
	return v, true
}
func (s Stack) Len() int { return len(s.data) }

type Counter struct{ n int }

func (c *Counter) Inc() *Counter { c.n++; return c }
func (c *Counter) IsNil() bool   { return c == nil }

func main() {
	fmt.Println(Celsius(100).F(), Celsius(-40).F())
	l := IntList{1, 2}
	l.Push(3)
	fmt.Println(l, l.Sum(), Name("abc").Len())
	fmt.Println(Fn(func(x int) int { return x * 3 }).Twice(2))
	var g Grid
	g.Set(1, 0, 5)
	fmt.Println(g, g.Get(1, 0))
	s := NewStack(3)
	for i := range 5 {
		fmt.Print(s.Push(i), " ")
	}
	fmt.Println(s.Len())
	for {
		v, ok := s.Pop()
		if !ok {
			break
		}
		fmt.Print(v, " ")
	}
	fmt.Println()
	var c Counter
	c.Inc().Inc().Inc()
	fmt.Println(c.n)
	var np *Counter
	fmt.Println(np.IsNil(), c.Inc().IsNil())
	f := s.Push
	f(42)
	fmt.Println(s.Pop())
	h := Stack.Len
	k := (*Stack).Push
	k(s, 7)
	fmt.Println(h(*s), l.Sum())
	fs := []func() int{l.Sum, IntList{10, 20}.Sum}
	l.Push(100)
	fmt.Println(fs[0](), fs[1]())
}
