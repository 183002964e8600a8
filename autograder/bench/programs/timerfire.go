//go:build ignore

// n functions are called by timers, a thousand at a time.
package main

import (
	"os"
	"strconv"
	"sync"
	"time"
)

func main() {
	n, _ := strconv.Atoi(os.Args[1])
	var wg sync.WaitGroup
	for ; n > 0; n -= 1000 {
		wg.Add(1000)
		for i := 0; i < 1000; i++ {
			time.AfterFunc(time.Duration(i*7919%1000), wg.Done)
		}
		wg.Wait()
	}
}
