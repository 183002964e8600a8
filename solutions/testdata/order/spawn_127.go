// 127 goroutines wait at once.
package main

import (
	"fmt"
	"sync"
)

func main() {
	var wg sync.WaitGroup
	var order []int
	for i := range 127 {
		wg.Go(func() { order = append(order, i) })
	}
	wg.Wait()
	fmt.Println(order)
}
