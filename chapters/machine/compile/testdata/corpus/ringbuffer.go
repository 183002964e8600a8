package main

import "fmt"

type Ring struct {
	buf        [8]int
	head, tail uint32
}

func (r *Ring) Len() int   { return int(r.tail - r.head) }
func (r *Ring) Full() bool { return r.tail-r.head == uint32(len(r.buf)) }
func (r *Ring) Put(v int) bool {
	if r.Full() {
		return false
	}
	r.buf[r.tail%uint32(len(r.buf))] = v
	r.tail++
	return true
}
func (r *Ring) Get() (int, bool) {
	if r.head == r.tail {
		return 0, false
	}
	v := r.buf[r.head%uint32(len(r.buf))]
	r.head++
	return v, true
}

type Queue[T any] struct {
	items []T
	head  int
	n     int
}

func (q *Queue[T]) Push(v T) {
	if q.n == len(q.items) {
		grown := make([]T, max(1, 2*q.n))
		for i := range q.n {
			grown[i] = q.items[(q.head+i)%len(q.items)]
		}
		q.items, q.head = grown, 0
	}
	q.items[(q.head+q.n)%len(q.items)] = v
	q.n++
}

func (q *Queue[T]) Pop() (v T) {
	v = q.items[q.head]
	q.head = (q.head + 1) % len(q.items)
	q.n--
	return
}

func main() {
	r := Ring{head: 1<<32 - 3, tail: 1<<32 - 3}
	for i := range 10 {
		fmt.Print(r.Put(i), r.Len(), " ")
	}
	fmt.Println()
	for range 5 {
		v, ok := r.Get()
		fmt.Print(v, ok, " ")
	}
	for i := range 3 {
		r.Put(100 + i)
	}
	fmt.Println(r, r.Len())
	for {
		v, ok := r.Get()
		if !ok {
			break
		}
		fmt.Print(v, " ")
	}
	fmt.Println()
	var q Queue[string]
	for i := range 7 {
		q.Push(fmt.Sprint("s", i))
		if i%3 == 2 {
			fmt.Print(q.Pop(), " ")
		}
	}
	for q.n > 0 {
		fmt.Print(q.Pop(), " ")
	}
	fmt.Println(len(q.items))
}
