package main

import "fmt"

func main() {
	s := []int{1, 2, 3, 4, 5}
	t := s[1:3]
	fmt.Println(t, len(t), cap(t))
	t = append(t, 99)
	fmt.Println(s, t)
	t = s[1:3:3]
	t = append(t, 77)
	fmt.Println(s, t, cap(s[1:3:4]))
	var n []int
	fmt.Println(n, len(n), cap(n), n == nil, s == nil)
	n = append(n, s...)
	n = append(n, n...)
	fmt.Println(n, len(n))
	m := make([]int, 3, 10)
	m[2] = 5
	fmt.Println(m, len(m), cap(m), m[:5])
	k := 4
	d := make([]string, k)
	d[k-1] = "x"
	fmt.Printf("%q %d\n", d, cap(d))
	c := copy(m, s)
	fmt.Println(c, m, copy(s[1:], s), s, copy(s, s[3:]), s)
	two := make([][]int, 3)
	for i := range two {
		two[i] = make([]int, i+1)
		for j := range two[i] {
			two[i][j] = i * j
		}
	}
	fmt.Println(two)
	s = s[:0]
	fmt.Println(s, len(s), cap(s), s[:5])
	e := []int{}
	fmt.Println(e == nil, e, s[0:0] == nil)
	x := []int{5: 1, 2, 1: 7}
	fmt.Println(x, len(x))
	a := [4]int{1, 2, 3, 4}
	as := a[:]
	as[0] = 50
	as2 := a[1:2]
	fmt.Println(a, len(as2), cap(as2))
	pa := &a
	ps := pa[2:]
	ps[0] = 60
	fmt.Println(a, ps)
	s = append(s, 1, 2, 3)
	s = append(s[:1], s[2:]...)
	fmt.Println(s)
	clear(s)
	fmt.Println(s)
	arr := [4]int(a[:])
	arr[0]++
	ap := (*[2]int)(a[2:])
	ap[1] = -1
	fmt.Println(arr, a, *ap)
}
