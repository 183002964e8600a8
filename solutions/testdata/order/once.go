// The others wait for the first.
package main

import (
	"fmt"
	"runtime"
	"sync"
)

func main() {
	var once sync.Once
	var wg sync.WaitGroup
	for i := range 5 {
		wg.Go(func() {
			once.Do(func() {
				fmt.Println("begins", i)
				runtime.Gosched()
				fmt.Println("ends", i)
			})
			fmt.Println("after", i)
		})
	}
	wg.Wait()
}
