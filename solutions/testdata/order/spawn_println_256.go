// 256 goroutines wait at once, and nobody calls finalizers.
package main

import (
	"sync"
)

func main() {
	var wg sync.WaitGroup
	var order []int
	for i := range 256 {
		wg.Go(func() { order = append(order, i) })
	}
	wg.Wait()
	for _, i := range order {
		print(i, " ")
	}
	println()
}
