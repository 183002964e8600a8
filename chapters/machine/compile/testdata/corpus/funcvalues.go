package main

import "fmt"

type handler struct {
	name string
	fn   func(args ...string) (string, error)
}

type middleware func(func(int) int) func(int) int

func logged(log *[]string) middleware {
	return func(next func(int) int) func(int) int {
		return func(n int) int {
			*log = append(*log, fmt.Sprint("in ", n))
			r := next(n)
			*log = append(*log, fmt.Sprint("out ", r))
			return r
		}
	}
}

func times(k int) middleware {
	return func(next func(int) int) func(int) int {
		return func(n int) int {
			for range k {
				n = next(n)
			}
			return n
		}
	}
}

func chain(f func(int) int, ms ...middleware) func(int) int {
	for i := len(ms) - 1; i >= 0; i-- {
		f = ms[i](f)
	}
	return f
}

type state func(*lexer) state

type lexer struct {
	in  string
	pos int
	out []string
}

func start(l *lexer) state {
	if l.pos >= len(l.in) {
		return nil
	}
	if c := l.in[l.pos]; c >= '0' && c <= '9' {
		return number
	}
	return letter
}

func number(l *lexer) state {
	b := l.pos
	for l.pos < len(l.in) && l.in[l.pos] >= '0' && l.in[l.pos] <= '9' {
		l.pos++
	}
	l.out = append(l.out, "n:"+l.in[b:l.pos])
	return start
}

func letter(l *lexer) state {
	l.out = append(l.out, "c:"+l.in[l.pos:l.pos+1])
	l.pos++
	return start
}

func curry(f func(a, b, c int) int) func(int) func(int) func(int) int {
	return func(a int) func(int) func(int) int {
		return func(b int) func(int) int {
			return func(c int) int { return f(a, b, c) }
		}
	}
}

type Op int

var table = [...]func(int, int) int{
	func(a, b int) int { return a + b },
	func(a, b int) int { return a - b },
	max3,
}

func max3(a, b int) int { return max(a, b, 3) }

func iterate(n int, yield func(int) bool) {
	for i := range n {
		if !yield(i) {
			return
		}
	}
}

func main() {
	hs := []handler{
		{"join", func(a ...string) (string, error) {
			s := ""
			for _, x := range a {
				s += x
			}
			return s, nil
		}},
		{"fail", func(a ...string) (string, error) { return "", fmt.Errorf("failed with %d", len(a)) }},
	}
	for _, h := range hs {
		s, err := h.fn("a", "b")
		fmt.Println(h.name, s, err)
	}
	var log []string
	f := chain(func(n int) int { return n + 1 }, times(2), logged(&log))
	fmt.Println(f(1), log)
	l := &lexer{in: "ab12c3"}
	for st := start; st != nil; {
		st = state(st(l))
		if st == nil {
			break
		}
	}
	fmt.Println(l.out)
	fmt.Println(curry(func(a, b, c int) int { return a*100 + b*10 + c })(1)(2)(3))
	for _, t := range table {
		fmt.Print(t(1, 2), " ")
	}
	fmt.Println()
	iterate(10, func(i int) bool {
		fmt.Print(i, " ")
		return i < 4
	})
	fmt.Println()
	var fact func(int) int
	fact = func(n int) int {
		if n <= 1 {
			return 1
		}
		return n * fact(n-1)
	}
	fmt.Println(fact(12))
	m := struct{ f, g func() string }{func() string { return "f" }, nil}
	fmt.Println(m.f(), m.g == nil)
	x := 10
	inc, get := func() { x++ }, func() int { return x }
	inc()
	inc()
	fmt.Println(get(), x)
	acc := func() func(int) int {
		sum := 0
		return func(n int) int { sum += n; return sum }
	}()
	acc(1)
	acc(10)
	fmt.Println(acc(100))
	p := fmt.Println
	p("as value", 1)
	s := fmt.Sprintf
	fmt.Println(s("%03d", 7))
}
