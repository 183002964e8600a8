// Each makes two more.
package main

import (
	"fmt"
	"sync"
)

var wg sync.WaitGroup

func tree(name string, depth int) {
	defer wg.Done()
	fmt.Print(name, " ")
	if depth == 0 {
		return
	}
	wg.Add(2)
	go tree(name+"a", depth-1)
	go tree(name+"b", depth-1)
}

func main() {
	wg.Add(1)
	go tree("r", 4)
	wg.Wait()
	fmt.Println()
}
