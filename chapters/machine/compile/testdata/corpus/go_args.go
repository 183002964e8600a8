package main

import (
	"fmt"
	"runtime"
)

type acc struct{ total, n int }

func (a *acc) add(x int)        { a.total += x; a.n++ }
func (a acc) report(out *[]int) { *out = append(*out, a.total); finished++ }

var results [10]int
var finished int

func work(id int, s string, xs ...int) int {
	results[id] = len(s)
	for _, x := range xs {
		results[id] += x
	}
	finished++
	return id
}

func wait(n int) {
	for finished < n {
		runtime.Gosched()
	}
	finished = 0
}

func main() {
	for i := range 10 {
		go work(i, "abc", i, i*i)
	}
	wait(10)
	fmt.Println(results)
	a := &acc{}
	go a.add(5)
	go a.add(6)
	for a.n < 2 {
		runtime.Gosched()
	}
	fmt.Println(*a)
	var out []int
	go a.report(&out)
	a.total = -1
	wait(1)
	fmt.Println(out)
	f := func(x, y int) { results[x] = y; finished++ }
	go f(1, 100)
	go f(2, 200)
	wait(2)
	fmt.Println(results[1], results[2])
	g := a.add
	go g(50)
	go func(n int) { a.add(n) }(7)
	for a.n < 4 {
		runtime.Gosched()
	}
	fmt.Println(a.total)
	go fmt.Sprint("nothing")
	go println("to stderr", 1)
	go print()
	h := func() { finished++ }
	go h()
	go wrapper(h)
	wait(2)
}

func wrapper(f func()) { f() }
