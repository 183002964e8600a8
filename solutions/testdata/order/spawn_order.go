// The last one made is first.
package main

import (
	"fmt"
	"sync"
)

func main() {
	var wg sync.WaitGroup
	for i := range 10 {
		wg.Go(func() { fmt.Print(i, " ") })
	}
	wg.Wait()
	fmt.Println()
}
