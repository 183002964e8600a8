package main

import (
	"fmt"
	"time"
)

const unit = 30 * time.Millisecond

func work(d time.Duration) <-chan string {
	c := make(chan string, 1)
	go func() {
		time.Sleep(d)
		c <- "done"
	}()
	return c
}

func main() {
	for _, d := range []time.Duration{unit, 3 * unit} {
		select {
		case s := <-work(d):
			fmt.Println(s)
		case <-time.After(2 * unit):
			fmt.Println("timeout")
		}
	}

	// With a default it does not wait; it looks again after each nap.
	timeout := time.After(4 * unit)
	naps := 0
	for waiting := true; waiting; {
		select {
		case <-timeout:
			waiting = false
		default:
			naps++
			time.Sleep(unit)
		}
	}
	fmt.Println("naps:", naps >= 4)

	// The first timer wins; the other one's channel is never looked at.
	select {
	case <-time.After(3 * unit):
		fmt.Println("long")
	case <-time.After(unit):
		fmt.Println("short")
	}

	// A heartbeat beside work, and a deadline for all of it.
	results := make(chan int)
	go func() {
		for i := range 3 {
			time.Sleep(5 * unit)
			results <- i
		}
	}()
	beat := time.NewTicker(2 * unit)
	defer beat.Stop()
	deadline := time.NewTimer(12 * unit)
	beats := 0
	for {
		select {
		case i := <-results:
			fmt.Println("result", i)
			continue
		case <-beat.C:
			beats++
			continue
		case <-deadline.C:
		}
		break
	}
	fmt.Println("beats:", beats >= 5)
}
