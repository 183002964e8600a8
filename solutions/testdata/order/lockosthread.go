// A goroutine that is locked to its thread takes turns with others.
package main

import (
	"fmt"
	"runtime"
	"sync"
)

func main() {
	var wg sync.WaitGroup
	for i := range 3 {
		wg.Go(func() {
			if i == 1 {
				runtime.LockOSThread()
				defer runtime.UnlockOSThread()
			}
			for k := range 4 {
				fmt.Println(i, k)
				runtime.Gosched()
			}
		})
	}
	wg.Wait()
}
