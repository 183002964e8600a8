// Five goroutines say who they are, on one P.
package main

import (
	"fmt"
	"runtime"
	"sync"
)

func main() {
	runtime.GOMAXPROCS(1)
	var wg sync.WaitGroup
	for i := range 5 {
		wg.Go(func() { fmt.Println("goroutine", i) })
	}
	wg.Wait()
}
