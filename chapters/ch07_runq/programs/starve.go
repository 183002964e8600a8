//go:build ignore

// Starve lets two goroutines play ping-pong, while a third one wants to run. There is one P.
package main

import (
	"fmt"
	"runtime"
	"time"
)

func main() {
	runtime.GOMAXPROCS(1)
	ping, pong := make(chan bool), make(chan bool)
	go func() {
		for range ping {
			pong <- true
		}
	}()
	round := func() { // each wakes the other, into runnext, and then waits for it
		ping <- true
		<-pong
	}
	round()
	runtime.Gosched() // the other one waits for a ping again

	start, waited := time.Now(), time.Duration(0)
	go func() { waited = time.Since(start) }()
	rounds := 0
	for waited == 0 {
		round()
		rounds++
	}
	fmt.Printf("the third one ran after %d rounds of ping-pong, %v\n", rounds, waited.Round(time.Millisecond))
}
