package main

import "fmt"

type peg struct {
	name  rune
	disks []int
}

func move(n int, from, to, via *peg, count *int) {
	if n == 0 {
		return
	}
	move(n-1, from, via, to, count)
	d := from.disks[len(from.disks)-1]
	from.disks = from.disks[:len(from.disks)-1]
	if l := len(to.disks); l > 0 && to.disks[l-1] < d {
		panic("larger on smaller")
	}
	to.disks = append(to.disks, d)
	*count++
	if *count <= 7 {
		fmt.Printf("move %d: %c -> %c\n", d, from.name, to.name)
	}
	move(n-1, via, to, from, count)
}

func ackermann(m, n int) int {
	if m == 0 {
		return n + 1
	}
	if n == 0 {
		return ackermann(m-1, 1)
	}
	return ackermann(m-1, ackermann(m, n-1))
}

func permutations(a []int, k int, f func([]int)) {
	if k == len(a) {
		f(a)
		return
	}
	for i := k; i < len(a); i++ {
		a[k], a[i] = a[i], a[k]
		permutations(a, k+1, f)
		a[k], a[i] = a[i], a[k]
	}
}

func isEven(n int) bool {
	if n == 0 {
		return true
	}
	return isOdd(n - 1)
}

func isOdd(n int) bool {
	if n == 0 {
		return false
	}
	return isEven(n - 1)
}

func main() {
	a, b, c := &peg{name: 'A'}, &peg{name: 'B'}, &peg{name: 'C'}
	for d := 8; d > 0; d-- {
		a.disks = append(a.disks, d)
	}
	count := 0
	move(8, a, c, b, &count)
	fmt.Println(count, a.disks, b.disks, c.disks)
	fmt.Println(ackermann(2, 3), isEven(1000), isOdd(7))
	n := 0
	permutations([]int{1, 2, 3, 4}, 0, func(p []int) {
		if n < 6 {
			fmt.Println(p)
		}
		n++
	})
	fmt.Println(n)
}
