//go:build ignore

// Procs changes GOMAXPROCS between crowds that compute.
package main

import (
	"fmt"
	"runtime"
	"sync"
)

// crowd lets n goroutines compute.
func crowd(n int) {
	var wg sync.WaitGroup
	for range n {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for i := 0; i < 200000; i++ {
				if i%50000 == 0 {
					runtime.Gosched()
				}
			}
		}()
	}
	wg.Wait()
}

func main() {
	fmt.Println("at first", runtime.GOMAXPROCS(0))
	crowd(6)
	fmt.Println("it was", runtime.GOMAXPROCS(4))
	crowd(6)
	fmt.Println("it was", runtime.GOMAXPROCS(1))
	crowd(6)
	fmt.Println("at the end", runtime.GOMAXPROCS(0))
}
