//go:build ignore

// n timers are set, and half of them are stopped.
package main

import (
	"os"
	"runtime"
	"strconv"
	"time"
)

func main() {
	n, _ := strconv.Atoi(os.Args[1])
	timers := make([]*time.Timer, n)
	for i := range timers {
		timers[i] = time.AfterFunc(time.Hour+time.Duration(i*7919%n), func() { panic("an hour is over") })
	}
	for i := 0; i < n; i += 2 {
		timers[i].Stop()
	}
	measure()
	runtime.KeepAlive(timers) // Go's collector would free those that were stopped
}
