//go:build ignore

// A timer is set and stopped n times, among a thousand others.
package main

import (
	"os"
	"strconv"
	"time"
)

func main() {
	n, _ := strconv.Atoi(os.Args[1])
	timers := make([]*time.Timer, 1000)
	for i := range timers {
		timers[i] = time.AfterFunc(time.Hour+time.Duration(i), func() { panic("an hour is over") })
	}
	for i := 0; i < n; i++ {
		t := timers[i%len(timers)]
		t.Stop()
		t.Reset(time.Hour + time.Duration(i*7919%1000))
	}
}
