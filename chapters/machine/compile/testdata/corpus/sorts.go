package main

import "fmt"

type lcg struct{ state uint32 }

func (l *lcg) next(n int) int {
	l.state = l.state*1664525 + 1013904223
	return int(l.state>>8) % n
}

func quicksort(a []int) {
	if len(a) < 2 {
		return
	}
	p := a[len(a)/2]
	i, j := 0, len(a)-1
	for i <= j {
		for a[i] < p {
			i++
		}
		for a[j] > p {
			j--
		}
		if i <= j {
			a[i], a[j] = a[j], a[i]
			i++
			j--
		}
	}
	quicksort(a[:j+1])
	quicksort(a[i:])
}

func mergesort(a []int) []int {
	if len(a) < 2 {
		return a
	}
	l, r := mergesort(a[:len(a)/2]), mergesort(a[len(a)/2:])
	out := make([]int, 0, len(a))
	for len(l) > 0 && len(r) > 0 {
		if l[0] <= r[0] {
			out = append(out, l[0])
			l = l[1:]
		} else {
			out = append(out, r[0])
			r = r[1:]
		}
	}
	out = append(out, l...)
	return append(out, r...)
}

func insertion(a []int) {
	for i := 1; i < len(a); i++ {
		for j := i; j > 0 && a[j-1] > a[j]; j-- {
			a[j-1], a[j] = a[j], a[j-1]
		}
	}
}

func heapsort(a []int) {
	sift := func(lo, hi int) {
		root := lo
		for {
			child := 2*root + 1
			if child >= hi {
				return
			}
			if child+1 < hi && a[child] < a[child+1] {
				child++
			}
			if a[root] >= a[child] {
				return
			}
			a[root], a[child] = a[child], a[root]
			root = child
		}
	}
	for i := len(a)/2 - 1; i >= 0; i-- {
		sift(i, len(a))
	}
	for i := len(a) - 1; i >= 0; i-- {
		a[0], a[i] = a[i], a[0]
		sift(0, i)
	}
}

func bubble(a []int, less func(x, y int) bool) (swaps int) {
	for done := false; !done; {
		done = true
		for i := 1; i < len(a); i++ {
			if less(a[i], a[i-1]) {
				a[i], a[i-1] = a[i-1], a[i]
				done = false
				swaps++
			}
		}
	}
	return
}

func sorted(a []int) bool {
	for i := range a {
		if i > 0 && a[i-1] > a[i] {
			return false
		}
	}
	return true
}

func main() {
	r := &lcg{42}
	orig := make([]int, 100)
	for i := range orig {
		orig[i] = r.next(1000)
	}
	fmt.Println(orig[:10], sorted(orig))
	clone := func() []int { return append([]int{}, orig...) }
	a := clone()
	quicksort(a)
	b := mergesort(orig)
	c := clone()
	insertion(c)
	d := clone()
	heapsort(d)
	e := clone()
	n := bubble(e, func(x, y int) bool { return x > y })
	fmt.Println(sorted(a), sorted(b), sorted(c), sorted(d), sorted(e), n)
	for i := range a {
		if a[i] != b[i] || b[i] != c[i] || c[i] != d[i] || d[i] != e[len(e)-1-i] {
			fmt.Println("differ at", i)
		}
	}
	fmt.Println(a)
}
