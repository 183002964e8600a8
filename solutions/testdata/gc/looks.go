package main

import (
	"fmt"
	"runtime"
	"time"
)

// A place is as large as a time.Timer.
type place struct {
	next *place
	v    [6]int
}

// No goroutine waits for these timers, so that they may be in no heap; one looks
// whether they have fired. Of each timer the program has only the channel.
func main() {
	var channels []<-chan time.Time
	for i := range 50 {
		channels = append(channels, time.After(time.Duration(i+1)*10*time.Microsecond))
	}
	var places *place
	for i := range 100 {
		places = &place{places, [6]int{i, i, i, i, i, i}}
	}
	for fired := 0; fired < len(channels); {
		for i, c := range channels {
			select {
			case at := <-c:
				if at.IsZero() || time.Since(at) < 0 || time.Since(at) > time.Hour {
					fmt.Println("a wrong time")
				}
				channels[i] = nil
				fired++
			default:
			}
		}
		places = &place{places.next, [6]int{99, 99, 99, 99, 99, 99}}
		runtime.Gosched()
	}
	i := 99
	for p := places; p != nil; p = p.next {
		if p.v != [6]int{i, i, i, i, i, i} {
			fmt.Println("place", i, "is", p.v)
		}
		i--
	}
	fmt.Println("ok")
}
