package main

import "fmt"

func try(f func()) {
	defer func() {
		r := recover()
		_, isError := r.(error)
		fmt.Println(r, isError)
	}()
	f()
}

type s struct{ a any }

func main() {
	var nilmap map[any]int
	m := map[any]int{}
	try(func() { nilmap[1] = 1 })
	try(func() { _ = nilmap[func() {}] })
	try(func() { _ = m[map[int]int{}] })
	try(func() { m[s{[]int{}}] = 1 })
	try(func() { delete(m, []string{}) })
	try(func() { m[[1]any{func() {}}] = 1 })
	try(func() {
		defer delete(m, 1)
		m[1] = 2
	})
	fmt.Println(len(m))
	var p *struct{ m map[int]int }
	try(func() { p.m[1] = 2 })
}
