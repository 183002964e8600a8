// Several wait for a WaitGroup.
package main

import (
	"fmt"
	"sync"
)

func main() {
	var work, wait sync.WaitGroup
	work.Add(3)
	for i := range 4 {
		wait.Go(func() {
			fmt.Println("waits", i)
			work.Wait()
			fmt.Println("goes on", i)
		})
	}
	for i := range 3 {
		go func() {
			fmt.Println("works", i)
			work.Done()
		}()
	}
	wait.Wait()
}
