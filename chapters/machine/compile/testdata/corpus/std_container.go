package main

import (
	"container/heap"
	"container/ring"
	"fmt"
	"sort"
)

type numbers []int

func (h numbers) Len() int           { return len(h) }
func (h numbers) Less(i, j int) bool { return h[i] < h[j] }
func (h numbers) Swap(i, j int)      { h[i], h[j] = h[j], h[i] }
func (h *numbers) Push(x any)        { *h = append(*h, x.(int)) }
func (h *numbers) Pop() any {
	old := *h
	x := old[len(old)-1]
	*h = old[:len(old)-1]
	return x
}

func main() {
	h := &numbers{5, 2, 8, 1, 9, 3}
	heap.Init(h)
	for i := range 10 {
		heap.Push(h, i*7%11)
	}
	fmt.Println(heap.Remove(h, h.Len()-1) != nil, h.Len())
	(*h)[0] = 6
	heap.Fix(h, 0)
	heap.Push(h, -1)
	fmt.Println(heap.Pop(h), (*h)[0])
	last, sorted := -5, true
	for h.Len() > 0 {
		x := heap.Pop(h).(int)
		sorted = sorted && last <= x
		last = x
	}
	fmt.Println(sorted, last)

	r := ring.New(5)
	for i := range r.Len() {
		r.Value = i
		r = r.Next()
	}
	show := func(r *ring.Ring) {
		r.Do(func(v any) { fmt.Print(v, " ") })
		fmt.Println()
	}
	show(r)
	show(r.Move(2))
	show(r.Prev())
	cut := r.Unlink(2)
	show(cut)
	show(r)
	r.Link(&ring.Ring{Value: "new"})
	show(r)
	fmt.Println(r.Len(), cut.Len(), (*ring.Ring)(nil).Len())

	x := []int{3, 1, 2, -5, 10, 3}
	sort.Ints(x)
	s := []string{"b", "", "abc", "ab"}
	sort.Strings(s)
	fmt.Println(x, s)
	sort.Sort(sort.Interface(numbers(x)))
	fmt.Println(x)
}
