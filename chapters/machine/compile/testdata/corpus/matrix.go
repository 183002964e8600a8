package main

import "fmt"

const N = 4

type Matrix [N][N]float64

func identity() (m Matrix) {
	for i := range m {
		m[i][i] = 1
	}
	return
}

func (a Matrix) mul(b Matrix) (c Matrix) {
	for i := 0; i < N; i++ {
		for j := 0; j < N; j++ {
			for k := 0; k < N; k++ {
				c[i][j] += a[i][k] * b[k][j]
			}
		}
	}
	return c
}

func (a *Matrix) transpose() {
	for i := range a {
		for j := 0; j < i; j++ {
			a[i][j], a[j][i] = a[j][i], a[i][j]
		}
	}
}

func pow(m Matrix, n int) Matrix {
	if n == 0 {
		return identity()
	}
	h := pow(m, n/2)
	h = h.mul(h)
	if n%2 == 1 {
		h = h.mul(m)
	}
	return h
}

func dyn(rows, cols int) [][]int {
	m := make([][]int, rows)
	for i := range m {
		m[i] = make([]int, cols)
		for j := range m[i] {
			m[i][j] = i ^ j
		}
	}
	return m
}

func mulDyn(a, b [][]int) [][]int {
	c := make([][]int, len(a))
	for i := range c {
		c[i] = make([]int, len(b[0]))
		for j := range c[i] {
			for k := range b {
				c[i][j] += a[i][k] * b[k][j]
			}
		}
	}
	return c
}

func main() {
	var m Matrix
	for i := range N {
		for j := range N {
			m[i][j] = float64((i+1)*(j+2)%5) / 2
		}
	}
	fmt.Println(m)
	fmt.Println(m.mul(identity()) == m)
	p := pow(m, 5)
	for _, row := range p {
		fmt.Printf("%10.2f %10.2f %10.2f %10.2f\n", row[0], row[1], row[2], row[3])
	}
	m.transpose()
	fmt.Println(m[0], m[3])
	for _, row := range mulDyn(dyn(3, 5), dyn(5, 4)) {
		fmt.Println(row)
	}
}
