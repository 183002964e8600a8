//go:build ignore

// Tickers, timeouts, and timers that are forgotten.
package main

import (
	"fmt"
	"time"
)

func main() {
	for range 50 {
		time.NewTimer(time.Hour)
	}
	ticks := 0
	tick := time.NewTicker(2 * time.Millisecond)
	end := time.After(21 * time.Millisecond)
	for over := false; !over; {
		select {
		case <-tick.C:
			ticks++
		case <-end:
			over = true
		}
	}
	tick.Stop()
	fmt.Println("ticks:", ticks)

	timeouts, answers := 0, 0
	for i := range 10 {
		answer := make(chan int, 1)
		go func() {
			time.Sleep(time.Duration(1+i%2*4) * time.Millisecond)
			answer <- i
		}()
		select {
		case <-answer:
			answers++
		case <-time.After(3 * time.Millisecond):
			timeouts++
		}
	}
	fmt.Println("timeouts:", timeouts)
	fmt.Println("answers:", answers)
	select {
	case <-tick.C:
		fmt.Println("forgotten: 1")
	default:
		fmt.Println("forgotten: 0")
	}
}
