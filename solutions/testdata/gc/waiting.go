package main

import (
	"fmt"
	"sync"
	"time"
)

type thing struct{ name string }

// Goroutines wait with what only they have: to send it, in a select, for a lock, a condition.
func main() {
	send, picked, done := make(chan *thing), make(chan any), make(chan string)
	for i := range 3 {
		go func() { send <- &thing{fmt.Sprint("sent ", i)} }()
		go func() {
			mine := &thing{fmt.Sprint("mine ", i)}
			select {
			case picked <- [3]*thing{1: {fmt.Sprint("picked ", i)}}:
			case x := <-make(chan *thing):
				mine = x
			}
			done <- mine.name
		}()
	}
	var mu sync.Mutex
	cond := sync.NewCond(&mu)
	ready := false
	for i := range 3 {
		go func() {
			mine := &thing{fmt.Sprint("cond ", i)}
			inner := &mine.name
			mu.Lock()
			for !ready {
				cond.Wait()
			}
			mu.Unlock()
			done <- *inner
		}()
	}
	buffered := make(chan *thing, 3)
	buffered <- &thing{"buffered"}
	time.Sleep(time.Millisecond)
	n := 0
	for i := range 300 {
		n += len(fmt.Sprint("garbage", i, &thing{"x"}))
	}
	lengths := 0
	for range 3 {
		lengths += len((<-send).name)
		lengths += len((<-picked).([3]*thing)[1].name)
		lengths += len(<-done)
	}
	mu.Lock()
	ready = true
	cond.Broadcast()
	mu.Unlock()
	for range 3 {
		lengths += len(<-done)
	}
	fmt.Println(lengths, (<-buffered).name)
}
