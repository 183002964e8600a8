//go:build ignore

// A thousand functions are to be called in an hour. Every second one is cancelled, and the others
// are wanted at once.
package main

import (
	"fmt"
	"sync"
	"sync/atomic"
	"time"
)

func main() {
	var ran, stopped atomic.Int64
	var all sync.WaitGroup
	for g := range 10 {
		all.Add(1)
		go func() {
			defer all.Done()
			timers := make([]*time.Timer, 100)
			for i := range timers {
				all.Add(1)
				timers[i] = time.AfterFunc(time.Hour+time.Duration((i*g)%7)*time.Millisecond, func() {
					ran.Add(1)
					all.Done()
				})
			}
			for i := 0; i < len(timers); i += 2 {
				if timers[i].Stop() {
					stopped.Add(1)
					all.Done()
				}
				timers[i+1].Reset(time.Duration(1+i%5) * time.Millisecond)
			}
		}()
	}
	all.Wait()
	fmt.Println("ran:", ran.Load())
	fmt.Println("stopped:", stopped.Load())
}
