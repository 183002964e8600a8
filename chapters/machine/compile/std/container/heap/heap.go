//go:build gosched

// Package heap keeps the smallest element of a list at its front.
package heap

import "sort"

// An Interface is a list that can be a heap. Push and Pop work at its end.
type Interface interface {
	sort.Interface
	Push(x any)
	Pop() any
}

// Init makes h a heap.
func Init(h Interface) {
	n := h.Len()
	for i := n/2 - 1; i >= 0; i-- {
		down(h, i, n)
	}
}

// Push adds x.
func Push(h Interface, x any) {
	h.Push(x)
	up(h, h.Len()-1)
}

// Pop removes the smallest element.
func Pop(h Interface) any {
	last := h.Len() - 1
	h.Swap(0, last)
	down(h, 0, last)
	return h.Pop()
}

// Remove removes element i.
func Remove(h Interface, i int) any {
	last := h.Len() - 1
	if i != last {
		h.Swap(i, last)
		if !down(h, i, last) {
			up(h, i)
		}
	}
	return h.Pop()
}

// Fix restores the order after element i has changed.
func Fix(h Interface, i int) {
	if !down(h, i, h.Len()) {
		up(h, i)
	}
}

func up(h Interface, i int) {
	for i > 0 {
		parent := (i - 1) / 2
		if !h.Less(i, parent) {
			return
		}
		h.Swap(i, parent)
		i = parent
	}
}

// down moves element i down among the first n, and reports whether it moved.
func down(h Interface, i, n int) bool {
	moved := false
	for {
		child := 2*i + 1
		if child >= n {
			return moved
		}
		if child+1 < n && h.Less(child+1, child) {
			child++
		}
		if !h.Less(child, i) {
			return moved
		}
		h.Swap(i, child)
		i, moved = child, true
	}
}
