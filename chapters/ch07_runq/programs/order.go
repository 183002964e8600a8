//go:build ignore

// Order lets one goroutine spawn n others on one P, and they write down in which order they
// run. n is the argument.
package main

import (
	"fmt"
	"os"
	"runtime"
	"strconv"
	"sync"
	"time"
)

func main() {
	n, err := strconv.Atoi(os.Args[1])
	if err != nil {
		panic(err)
	}
	runtime.GOMAXPROCS(1)
	time.Sleep(time.Millisecond) // by then, whatever else there was to run has run

	var (
		mu    sync.Mutex
		order []int
		wg    sync.WaitGroup
	)
	for i := range n {
		wg.Go(func() {
			mu.Lock()
			order = append(order, i)
			mu.Unlock()
		})
	}
	wg.Wait()

	for i := 0; i < n; {
		j := i + 1
		for j < n && order[j] == order[i]+j-i {
			j++
		}
		if j-i > 2 {
			fmt.Println(order[i], "to", order[j-1])
			i = j
			continue
		}
		fmt.Println(order[i])
		i++
	}
}
