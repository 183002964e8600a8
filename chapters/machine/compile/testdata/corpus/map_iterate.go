package main

import "fmt"

func main() {
	// Every entry once, whatever the order.
	m := map[int]int{}
	for i := range 100 {
		m[i] = i * i
	}
	seen := map[int]int{}
	for k, v := range m {
		if v != k*k {
			fmt.Println("bad", k, v)
		}
		seen[k]++
	}
	fmt.Println(len(seen))

	// What is deleted and not yet reached does not come.
	visited := 0
	for k := range m {
		visited++
		for i := range 100 {
			if i != k && i/10 == k/10 {
				delete(m, i)
			}
		}
	}
	fmt.Println(visited, len(m))

	// All are deleted on the way.
	for k := range m {
		delete(m, k)
	}
	fmt.Println(len(m))

	// The map grows on the way: the old ones come exactly once.
	for i := range 10 {
		m[i] = 1
	}
	times := map[int]int{}
	added := 1000
	for k := range m {
		times[k]++
		if len(m) < 500 {
			for range 20 {
				m[added] = 0
				added++
			}
		}
		if k < 10 {
			m[k]++
		}
	}
	for i := range 10 {
		fmt.Print(times[i], m[i], " ")
	}
	twice := 0
	for _, n := range times {
		if n > 1 {
			twice++
		}
	}
	fmt.Println(twice)

	// It is cleared on the way.
	n := 0
	for range m {
		n++
		clear(m)
	}
	fmt.Println(n, len(m))

	// Iterations of one map within each other.
	small := map[string]int{"a": 1, "b": 2, "c": 3}
	sum := 0
	for _, v := range small {
		for _, w := range small {
			sum += v * w
		}
	}
	fmt.Println(sum)
	var k string
	var v int
	for k, v = range map[string]int{"only": 1} {
	}
	fmt.Println(k, v)

	// Different orders.
	order := func() (s string) {
		for k := range m2 {
			s += k
		}
		return s
	}
	first := order()
	differs := false
	for range 100 {
		differs = differs || order() != first
	}
	fmt.Println(differs)
}

var m2 = map[string]int{"a": 0, "b": 1, "c": 2, "d": 3, "e": 4, "f": 5}
