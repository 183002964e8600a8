//go:build ignore

// n goroutines exist at once: each waits until all do. There are 256 that start them.
package main

import (
	"os"
	"strconv"
	"sync"
)

func main() {
	n, _ := strconv.Atoi(os.Args[1])
	const starters = 256
	var here, leave sync.WaitGroup
	here.Add(n)
	leave.Add(1)
	for i := 0; i < starters; i++ {
		go func(some int) {
			for j := 0; j < some; j++ {
				go func() {
					here.Done()
					leave.Wait()
				}()
			}
		}((n + i) / starters)
	}
	here.Wait()
}
