//go:build ignore

// Doze has nothing to do most of the time: only timers can make a goroutine ready.
package main

import (
	"fmt"
	"time"
)

func main() {
	tick := time.NewTicker(300 * time.Microsecond)
	defer tick.Stop()
	late := time.After(time.Millisecond)
	for n := 0; ; {
		select {
		case <-tick.C:
			n++
		case <-late:
			fmt.Println("ticks", n)
			return
		}
	}
}
