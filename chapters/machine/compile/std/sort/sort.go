//go:build gosched

// Package sort sorts.
package sort

// An Interface is a list that can be sorted.
type Interface interface {
	Len() int
	Less(i, j int) bool
	Swap(i, j int)
}

// Sort sorts data by heapsort. Equal elements may change places.
func Sort(data Interface) {
	n := data.Len()
	for i := n/2 - 1; i >= 0; i-- {
		sink(data, i, n)
	}
	for i := n - 1; i > 0; i-- {
		data.Swap(0, i)
		sink(data, 0, i)
	}
}

// sink moves element i down until no child in the first n is larger.
func sink(data Interface, i, n int) {
	for {
		child := 2*i + 1
		if child >= n {
			return
		}
		if child+1 < n && data.Less(child, child+1) {
			child++
		}
		if !data.Less(i, child) {
			return
		}
		data.Swap(i, child)
		i = child
	}
}

type ints []int

func (x ints) Len() int           { return len(x) }
func (x ints) Less(i, j int) bool { return x[i] < x[j] }
func (x ints) Swap(i, j int)      { x[i], x[j] = x[j], x[i] }

type words []string

func (x words) Len() int           { return len(x) }
func (x words) Less(i, j int) bool { return x[i] < x[j] }
func (x words) Swap(i, j int)      { x[i], x[j] = x[j], x[i] }

// Ints and Strings sort in increasing order.
func Ints(x []int)       { Sort(ints(x)) }
func Strings(x []string) { Sort(words(x)) }
