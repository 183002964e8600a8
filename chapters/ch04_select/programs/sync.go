//go:build ignore

package main

import (
	"fmt"
	"sync"
)

func mutex() {
	var mu sync.Mutex
	var wg sync.WaitGroup
	n := 0
	for range 20 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for range 20 {
				mu.Lock()
				n++
				mu.Unlock()
			}
		}()
	}
	wg.Wait()
	fmt.Println("mutex:", n)
}

func cond() {
	var mu sync.Mutex
	c := sync.NewCond(&mu)
	ready, woke := 0, 0
	var wg sync.WaitGroup
	for range 10 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			mu.Lock()
			ready++
			c.Wait()
			woke++
			mu.Unlock()
		}()
	}
	for {
		mu.Lock()
		r := ready
		mu.Unlock()
		if r == 10 {
			break
		}
		yield()
	}
	for range 3 {
		c.Signal()
	}
	mu.Lock()
	c.Broadcast()
	mu.Unlock()
	wg.Wait()
	fmt.Println("cond:", woke)
}

func yield() {
	c := make(chan int)
	go close(c)
	<-c
}

func rw() {
	var mu sync.RWMutex
	var wg sync.WaitGroup
	m := 0
	for i := range 30 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			if i%3 == 0 {
				mu.Lock()
				m++
				yield()
				mu.Unlock()
			} else {
				mu.RLock()
				_ = m
				yield()
				mu.RUnlock()
			}
		}()
	}
	wg.Wait()
	fmt.Println("rw:", m)
}

func once() {
	var o sync.Once
	var wg sync.WaitGroup
	n := 0
	for range 5 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			o.Do(func() { yield(); n++ })
		}()
	}
	wg.Wait()
	fmt.Println("once:", n)
}

func main() {
	mutex()
	cond()
	rw()
	once()
}
