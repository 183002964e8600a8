package main

import "fmt"

type grid [3][4]int

func sum(a [5]int) (s int) {
	for _, v := range a {
		s += v
	}
	a[0] = 100
	return s + a[0]
}

func fill(g *grid) {
	for i := range g {
		for j := range g[i] {
			g[i][j] = i*10 + j
		}
	}
}

func main() {
	a := [5]int{1, 2, 3, 4, 5}
	b := a
	b[2] = 30
	fmt.Println(a, b, a == b, a != b, len(a), cap(a), sum(a), a)
	var g grid
	fill(&g)
	fmt.Println(g, g[1][2], len(g), len(g[0]))
	c := [...]string{2: "two", 0: "zero"}
	fmt.Println(len(c), c[0], c[1] == "", c[2])
	fmt.Printf("%v %q %T\n", c, c, c)
	h := g
	h[2][3] = 99
	fmt.Println(h == g, g[2][3], h[2])
	i := 1
	a[i], a[i+1] = a[i+1], a[i]
	fmt.Println(a)
	p := &a
	p[0] = 7
	for i, v := range p {
		fmt.Print(i, "=", v, " ")
	}
	fmt.Println(len(p))
	var z [0]int
	fmt.Println(z, len(z))
	d := [2][]int{{1, 2}, {3}}
	d[0] = append(d[0], 5)
	fmt.Println(d)
	bytes := [8]byte{1, 2, 3}
	bytes[7] = 255
	w := [3]int16{-1, 300, -300}
	fmt.Println(bytes, w, [2]bool{true}, [2]float64{1.5})
	for i := range bytes {
		bytes[i] += byte(i)
	}
	fmt.Printf("%x %v\n", bytes, bytes)
	x := [2][2][2]int8{{{1, 2}, {3, 4}}, {{5, 6}, {7, 8}}}
	y := x[1]
	y[0][1] = -6
	fmt.Println(x, y)
}
