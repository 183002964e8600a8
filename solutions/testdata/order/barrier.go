// Rounds in which all wait for all.
package main

import (
	"fmt"
	"sync"
)

func main() {
	const n = 4
	var mu sync.Mutex
	cond := sync.NewCond(&mu)
	count, round := 0, 0
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			for r := range 3 {
				mu.Lock()
				fmt.Println("round", r, i)
				if count++; count == n {
					count = 0
					round++
					cond.Broadcast()
				} else {
					for now := round; now == round; {
						cond.Wait()
					}
				}
				mu.Unlock()
			}
		})
	}
	wg.Wait()
}
