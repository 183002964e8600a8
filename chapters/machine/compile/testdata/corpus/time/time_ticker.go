package main

import (
	"fmt"
	"time"
)

const unit = 40 * time.Millisecond

func main() {
	start := time.Now()
	tick := time.NewTicker(unit)
	for i := 1; i <= 3; i++ {
		at := <-tick.C
		fmt.Println("tick", i, at.Sub(start) >= time.Duration(i)*unit, len(tick.C), cap(tick.C))
	}

	// At 3 units. Who sleeps past the ticks at 4, 5 and 6 finds one of them.
	time.Sleep(3*unit + unit/2)
	at := <-tick.C
	fmt.Println("late:", at.Sub(start) < 5*unit)
	select {
	case <-tick.C:
		fmt.Println("a second one")
	default:
		fmt.Println("no second one")
	}
	at = <-tick.C
	fmt.Println("in time again:", at.Sub(start) >= 7*unit)

	tick.Stop()
	tick.Stop()
	select {
	case <-tick.C:
		fmt.Println("a tick after Stop")
	case <-time.After(3 * unit):
		fmt.Println("stopped")
	}

	start = time.Now()
	tick.Reset(2 * unit)
	<-tick.C
	fmt.Println("slower:", time.Since(start) >= 2*unit)
	tick.Reset(unit)
	<-tick.C
	<-tick.C
	fmt.Println("faster:", time.Since(start) >= 4*unit)

	// A tick that is there when the ticker is stopped or reset is gone.
	time.Sleep(2 * unit)
	tick.Stop()
	select {
	case <-tick.C:
		fmt.Println("a stale tick")
	default:
		fmt.Println("no stale tick")
	}
	fmt.Println(time.Tick(0) == nil, time.Tick(-1) == nil)
	<-time.Tick(unit)
}
