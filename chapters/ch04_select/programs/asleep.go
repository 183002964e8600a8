//go:build ignore

package main

import (
	"fmt"
	"sync"
)

func main() {
	var mu sync.Mutex
	var reading, writing sync.RWMutex
	var all sync.WaitGroup
	a, b := make(chan int), make(chan int)
	cond := sync.NewCond(new(sync.Mutex))
	cond.L.Lock()
	mu.Lock()
	writing.Lock()
	reading.RLock()
	for _, wait := range []func(){
		mu.Lock,
		writing.RLock,
		reading.Lock,
		cond.Wait,
		func() {
			select {
			case a <- 1:
			case <-b:
			}
		},
		func() { select {} },
	} {
		all.Add(1)
		go wait()
	}
	fmt.Println("all wait")
	all.Wait()
}
