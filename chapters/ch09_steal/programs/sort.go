//go:build ignore

// Sort sorts by merging; for each half there is a goroutine.
package main

import (
	"fmt"
	"sync"
)

func main() {
	list := make([]int, 48)
	for i := range list {
		list[i] = i * 29 % 48
	}
	sort(list)
	for i, v := range list {
		if i != v {
			fmt.Println("at", i, "stands", v)
			return
		}
	}
	fmt.Println("sorted", len(list))
}

func sort(list []int) {
	if len(list) < 2 {
		return
	}
	a := append([]int(nil), list[:len(list)/2]...)
	b := append([]int(nil), list[len(list)/2:]...)
	var wg sync.WaitGroup
	wg.Add(2)
	for _, half := range [][]int{a, b} {
		go func() {
			defer wg.Done()
			sort(half)
		}()
	}
	wg.Wait()
	for i := range list {
		if len(b) == 0 || len(a) > 0 && a[0] < b[0] {
			list[i], a = a[0], a[1:]
		} else {
			list[i], b = b[0], b[1:]
		}
	}
}
