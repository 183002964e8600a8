//go:build ignore

// As many goroutines as there are Ps set and stop timers, as whoever waits with a timeout does.
// It prints how many ns a pair of the two takes.
package main

import (
	"fmt"
	"runtime"
	"sync"
	"time"
)

func main() {
	const pairs = 200
	var ready, done sync.WaitGroup
	begin := make(chan bool)
	n := runtime.GOMAXPROCS(0)
	for range n {
		ready.Add(1)
		done.Add(1)
		go func() {
			t := time.AfterFunc(time.Hour, func() {})
			ready.Done()
			<-begin
			for i := range pairs {
				t.Stop()
				t.Reset(time.Hour + time.Duration(i))
			}
			t.Stop()
			done.Done()
		}()
	}
	ready.Wait()
	start := time.Now()
	close(begin)
	done.Wait()
	fmt.Println(int64(time.Since(start)) / pairs)
}
