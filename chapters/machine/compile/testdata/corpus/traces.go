package main

import "fmt"

type T[X any] struct{ x []X }

func (t *T[X]) at(i int) X { return t.x[i] }

func gen[X any](t *T[X], i int) X {
	return t.
		at(i)
}

type emb struct{ *inner }
type inner struct{ v []int }

func (in inner) get(i int) int { return in.v[i] }

func main() {
	fmt.Println("start")
	e := emb{&inner{[]int{1, 2}}}
	fmt.Println(e.get(1))
	f := func(n int) {
		g := func() int {
			h := func() int {
				return gen(&T[int]{[]int{5}},
					n)
			}
			return 1 +
				h()
		}
		fmt.Println(
			g(),
		)
	}
	f(0)
	f(3)
}
