//go:build ignore

// Locked measures a ping-pong between two goroutines over a channel: when none, and when
// one of them is locked to its thread.
package main

import (
	"fmt"
	"runtime"
	"time"
)

func pingPong(lock bool) time.Duration {
	const rounds = 20_000
	ping, pong := make(chan int), make(chan int)
	go func() {
		if lock {
			runtime.LockOSThread()
			defer runtime.UnlockOSThread()
		}
		for n := range ping {
			pong <- n
		}
		close(pong)
	}()
	start := time.Now()
	for n := range rounds {
		ping <- n
		<-pong
	}
	took := time.Since(start)
	close(ping)
	<-pong
	return took / rounds
}

func main() {
	runtime.GOMAXPROCS(2)
	pingPong(false)
	free, locked := pingPong(false), pingPong(true)
	fmt.Println("a round trip, not locked:", free)
	fmt.Println("a round trip, one locked:", locked)
	fmt.Println("at least five times as long:", locked >= 5*free)
}
