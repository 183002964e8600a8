//go:build ignore

// Quicksort sorts numbers: each half goes to a goroutine of its own, until the rest is
// short.
package main

import (
	"fmt"
	"sync"
)

// short is how many numbers a goroutine sorts itself.
const short = 64

func sort(a []int, wg *sync.WaitGroup) {
	defer wg.Done()
	for len(a) > short {
		p := partition(a)
		wg.Add(1)
		go sort(a[:p], wg)
		a = a[p+1:]
	}
	for i := 1; i < len(a); i++ {
		for j := i; j > 0 && a[j] < a[j-1]; j-- {
			a[j], a[j-1] = a[j-1], a[j]
		}
	}
}

// partition moves the numbers smaller than the middle one before it and returns where
// it then is.
func partition(a []int) int {
	last := len(a) - 1
	a[last/2], a[last] = a[last], a[last/2]
	p := 0
	for i, x := range a[:last] {
		if x < a[last] {
			a[i], a[p] = a[p], x
			p++
		}
	}
	a[p], a[last] = a[last], a[p]
	return p
}

func main() {
	a := make([]int, 20000)
	x := 1
	for i := range a {
		x = x * 16807 % 2147483647
		a[i] = x
	}
	var wg sync.WaitGroup
	wg.Add(1)
	go sort(a, &wg)
	wg.Wait()
	wrong := 0
	for i := range a[1:] {
		if a[i] > a[i+1] {
			wrong++
		}
	}
	fmt.Println("smallest", a[0], "middle", a[len(a)/2], "greatest", a[len(a)-1])
	fmt.Println("out of order:", wrong)
}
