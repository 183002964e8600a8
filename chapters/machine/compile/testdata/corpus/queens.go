package main

import "fmt"

type board struct {
	n         int
	cols      []bool
	d1, d2    []bool
	placement []int
	solutions int
	first     []int
}

func newBoard(n int) *board {
	return &board{n: n, cols: make([]bool, n), d1: make([]bool, 2*n), d2: make([]bool, 2*n), placement: make([]int, n)}
}

func (b *board) solve(row int) {
	if row == b.n {
		if b.solutions == 0 {
			b.first = append([]int(nil), b.placement...)
		}
		b.solutions++
		return
	}
	for c := 0; c < b.n; c++ {
		if b.cols[c] || b.d1[row+c] || b.d2[row-c+b.n] {
			continue
		}
		b.cols[c], b.d1[row+c], b.d2[row-c+b.n] = true, true, true
		b.placement[row] = c
		b.solve(row + 1)
		b.cols[c], b.d1[row+c], b.d2[row-c+b.n] = false, false, false
	}
}

func main() {
	for n := 1; n <= 7; n++ {
		b := newBoard(n)
		b.solve(0)
		fmt.Println(n, b.solutions, b.first)
		for _, c := range b.first {
			for i := range n {
				if i == c {
					fmt.Print("Q ")
				} else {
					fmt.Print(". ")
				}
			}
			fmt.Println()
		}
	}
}
