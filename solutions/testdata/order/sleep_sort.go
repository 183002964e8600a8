// Sleeps of different lengths.
package main

import (
	"fmt"
	"sync"
	"time"
)

func main() {
	var wg sync.WaitGroup
	for _, n := range []int{5, 1, 4, 2, 3} {
		wg.Go(func() {
			time.Sleep(time.Duration(n) * 40 * time.Millisecond)
			fmt.Println(n)
		})
	}
	wg.Wait()
}
