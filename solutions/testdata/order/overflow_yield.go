// 300 goroutines that yield: most come to the global queue.
package main

import (
	"fmt"
	"runtime"
	"sync"
)

func main() {
	var wg sync.WaitGroup
	var order []int
	for i := range 300 {
		wg.Go(func() {
			runtime.Gosched()
			order = append(order, i)
			if i%3 == 0 {
				runtime.Gosched()
				order = append(order, -i)
			}
		})
	}
	wg.Wait()
	fmt.Println(order)
}
