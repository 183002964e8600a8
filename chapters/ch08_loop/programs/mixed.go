//go:build ignore

// Mixed has goroutines that wake each other, for which a P needs its own queue only,
// and a few that yield, which go to the global queue. All work a little at each step;
// all that they share is the scheduler. It prints how many steps were done.
package main

import (
	"fmt"
	"runtime"
)

func work() {
	for i := 0; i < 500; i++ {
	}
}

// A crew is a master that rings for two servants in each round.
func crew(rounds int, steps *int, over chan bool) {
	done := make(chan bool)
	bells := []chan bool{make(chan bool), make(chan bool)}
	for _, bell := range bells {
		go func() {
			for range bell {
				work()
				done <- true
			}
		}()
	}
	for range rounds {
		bells[0] <- true
		bells[1] <- true
		work()
		<-done
		<-done
		*steps += 3
	}
	over <- true
}

func main() {
	procs := runtime.GOMAXPROCS(0)
	crews, loners := 2*procs, procs/2
	steps := make([]int, crews+loners)
	over := make(chan bool)
	running := true
	for i := range crews {
		go crew(40, &steps[i], over)
	}
	for i := range loners {
		go func() {
			for running {
				work()
				steps[crews+i]++
				runtime.Gosched()
			}
		}()
	}
	for range crews {
		<-over
	}
	running = false
	sum := 0
	for _, n := range steps {
		sum += n
	}
	fmt.Println(sum)
}
