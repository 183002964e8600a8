package main

import (
	"fmt"
	"time"
)

const unit = 30 * time.Millisecond

func main() {
	start := time.Now()
	time.Sleep(0)
	time.Sleep(-time.Hour)
	fmt.Println("not yet:", time.Since(start) < unit)

	// They wake in the order of their deadlines, not in that of their starts.
	done := make(chan int)
	for _, n := range []int{5, 1, 4, 2, 3} {
		go func() {
			time.Sleep(time.Duration(n) * unit)
			done <- n
		}()
	}
	for range 5 {
		n := <-done
		fmt.Println(n, time.Since(start) >= time.Duration(n)*unit)
	}

	// A goroutine sleeps again and again, and the timer is the same.
	go func() {
		for i := range 3 {
			time.Sleep(unit)
			fmt.Println("nap", i)
		}
		close(done)
	}()
	<-done
	fmt.Println(time.Until(start) < -8*unit, time.Now().After(start), start.Add(unit).Sub(start) == unit)

	// Those that still sleep when main returns are cut off.
	for range 3 {
		go func() {
			time.Sleep(unit)
			fmt.Println("never")
		}()
	}
	time.Sleep(time.Nanosecond)
}
