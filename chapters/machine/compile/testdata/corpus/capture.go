package main

import "fmt"

type pair struct {
	a int8
	b string
	c float32
}

type big [17]int // too large for a copy

type node struct {
	next *node
	n    int
}

func counter(start, step int) (next func() int, reset func()) {
	n := start
	return func() int { n += step; return n }, func() { n = start }
}

func nested(x int) func() func() int {
	y := x * 2
	return func() func() int {
		z := y + x
		return func() int { return x + y + z }
	}
}

func deep(n int, look func() int) int {
	var pad [50]int
	pad[n%50] = n
	if n == 0 {
		return look()
	}
	return deep(n-1, func() int { return look() + pad[n%50] - n + 1 })
}

func named() (n int, err error) {
	m := 3
	defer func() {
		if r := recover(); r != nil {
			n, err = m, fmt.Errorf("caught %v", r)
		}
	}()
	k := 7
	defer func() { n += k }()
	panic("out")
}

// late is captured before it is set.
func late() int {
	var fib func(n int) int
	fib = func(n int) int {
		if n < 2 {
			return n
		}
		return fib(n-1) + fib(n-2)
	}
	return fib(10)
}

// chosen is set in one of two places, or once with a condition.
func chosen(b bool) func() string {
	var s string
	if b {
		s = "yes"
	} else {
		s = "no"
	}
	both := b || s == "no"
	return func() string { return fmt.Sprint(s, both) }
}

// read is read before it is set, in the second round of the loop.
func read() (out []int) {
	for i := 0; i < 3; i++ {
		var x int
		get := func() int { return x }
		out = append(out, get())
		x = i + 10
		out = append(out, get())
	}
	return out
}

func main() {
	next, reset := counter(5, 3)
	fmt.Println(next(), next(), next())
	reset()
	fmt.Println(next())
	fmt.Println(nested(4)()())

	p := pair{-3, "pair", 1.5}
	show := func() { fmt.Println(p.a, p.b, p.c, p) }
	show()
	q := p
	q.a++
	func() { fmt.Println(q.a, q == p) }()

	var b big
	for i := range b {
		b[i] = i * i
	}
	sum := func() (s int) {
		for _, v := range b {
			s += v
		}
		return s
	}
	fmt.Println(sum())
	b[0] = 100
	fmt.Println(sum())

	var fns []func() string
	for i := range 3 {
		s := fmt.Sprint("i", i)
		fns = append(fns, func() string { return s + fmt.Sprint(i) })
	}
	for i := 0; i < 3; i++ {
		fns = append(fns, func() string { i += 10; return fmt.Sprint(i) })
	}
	for _, f := range fns {
		fmt.Print(f(), f(), " ")
	}
	fmt.Println()

	list := &node{nil, 1}
	list = &node{list, 2}
	head := list
	walk := func() (s int) {
		for n := head; n != nil; n = n.next {
			s = 10*s + n.n
		}
		return s
	}
	list.next.n = 7
	fmt.Println(walk())
	list = nil
	fmt.Println(walk())

	var none *node
	func() {
		defer func() { fmt.Println(recover()) }()
		fmt.Println(none.n)
	}()

	const k = 12
	u8, f32, ok, str := uint8(200), float32(0.1), true, "constant"
	func() {
		u8 := u8
		u8 += 100
		fmt.Println(u8, f32, ok, str, k, len(str), str[2])
	}()
	var e error
	var any interface{} = p
	func() { fmt.Println(e == nil, any.(pair).b) }()

	fmt.Println(deep(60, func() int { return len(str) }))
	fmt.Println(named())
	fmt.Println(late(), chosen(true)(), chosen(false)())
	fmt.Println(read())

	bound := p.String
	p = pair{}
	fmt.Println(bound(), p)

	done := make(chan int)
	limit := 5
	go func() {
		defer close(done)
		for i := 0; i < limit; i++ {
			done <- i
		}
	}()
	total := 0
	for v := range done {
		total += v
	}
	fmt.Println(total)

	empty := struct{}{}
	func() { fmt.Println(empty) }()
}

func (p pair) String() string { return fmt.Sprintf("<%d %s>", p.a, p.b) }
