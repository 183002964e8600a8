package main

import "fmt"

type v struct {
	a, b int
	s    string
}

func f(s []int, n int) int        { return len(s)*100 + n }
func g(a, b string, n int) string { return a + "/" + b + fmt.Sprint(n) }
func h(x v, y int, z v) v         { return v{x.a + z.a, y, x.s + z.s} }
func mk(n int) v                  { return v{n, n * 2, fmt.Sprint(n)} }
func two(n int) (int, string)     { return n, fmt.Sprint("t", n) }
func take(n int, s string) string { return s + fmt.Sprint(n) }
func id(n int) int                { return n }
func b(x, y bool, n int) int {
	if x && !y {
		return n
	}
	return -n
}
func fn(g func(int) int, n int, h func(int) int) int { return g(h(n)) }
func get() func(int) int                             { return func(n int) int { return n + 1 } }
func many(a, b, c, d, e, f, g, h int) int            { return a + 2*b + 3*c + 4*d + 5*e + 6*f + 7*g + 8*h }
func conv(b []byte, r []rune, s string) int          { return len(b) + 10*len(r) + 100*len(s) }
func any2(x, y any) string                           { return fmt.Sprint(x, y) }

func main() {
	s := []int{1, 2}
	t, u := "t", "u"
	k := 7
	fmt.Println(f(append(s, k, k+1), id(k)), f(append(s, s...), k*2), f(s[1:], k-1), f(s[:1:1], id(id(k))))
	fmt.Println(g(t+u, u+t, k+k), g(t+u+t, g(u, t, 1), len(t+u)), g(string(t[0]), u[:1], id(3)))
	fmt.Println(h(mk(1), id(2), mk(3)), h(h(mk(1), 1, mk(2)), k%4, mk(id(5))))
	fmt.Println(take(two(4)), b(t < u, t == u, k), b(t+u == "tu", t >= u, id(1)), b(any(k) == any(7), s == nil, k))
	fmt.Println(fn(get(), id(3), get()), get()(id(4)), fn(func(n int) int { return n * k }, k, id))
	fmt.Println(many(id(1), k, id(2)+k, k*k, id(3), -k, id(k)<<2, k/2), many(1, 2, 3, 4, id(5), id(6), id(7), id(8)))
	fmt.Println(conv([]byte(t+u), []rune("é"+t), string([]byte{65, 66})+u), any2(k, t), any2(mk(1), id(2)), any2(t+u, s))
	w := []int{5, 6, 7, 8}
	fmt.Println(w[id(1):], w[:id(2)], w[id(1):id(3):id(4)], t[id(0):], append(w[:id(1)], id(4)), append(get3(), id(9)), get3()[id(2)])
	print(id(1), g(t, u, id(2)), get3()[1:][0], "\n")
	x, y := two(id(2))
	fmt.Println(x, y, min(id(1), k), max(t, u+t), len(append(s, 1)), copy(s, []int{9, id(8)}), s)
	p := &v{1, 2, "p"}
	fmt.Println(h(*p, p.a, *p), p.sum(id(p.b)), p.sum(p.sum(p.a)))
	m := [2][2]int{{1, 2}, {3, 4}}
	fmt.Println(m[id(1)][id(0)], many(m[0][0], m[0][1], m[1][0], m[1][1], s[0], s[id(1)], p.a, p.b))
	fmt.Println(float(id(3), 1.5*float64(k)), uint8(id(300)), int8(id(200)), -id(5), ^id(6), id(7)%3 == 1)
}

func (p *v) sum(n int) int           { return p.a + p.b + n }
func float(n int, f float64) float64 { return float64(n) * f }

func get3() []int { return []int{1, 2, 3} }
