//go:build ignore

// Serve lets main play with its servants on one P: in each round it wakes them all and
// waits for their answers. Another goroutine yields whenever it runs, and one that was
// started last only wants to run once. The arguments are how many rounds, and how many
// servants.
package main

import (
	"fmt"
	"os"
	"runtime"
	"strconv"
)

func number(i int) int {
	n, err := strconv.Atoi(os.Args[i])
	if err != nil {
		panic(err)
	}
	return n
}

func main() {
	rounds, servants := number(1), number(2)
	runtime.GOMAXPROCS(1)
	done := make(chan bool)
	var bells []chan bool
	for i := range servants {
		bells = append(bells, make(chan bool))
		go func() {
			for range bells[i] {
				done <- true
			}
		}()
	}
	round := func() {
		for _, bell := range bells {
			bell <- true
		}
		for range bells {
			<-done
		}
	}

	turns, ran := 0, 0
	over := false
	go func() {
		for !over {
			turns++
			runtime.Gosched() // to the global queue
		}
	}()
	round()
	for range 4 {
		runtime.Gosched() // the servants wait now
	}
	turns = 0
	go func() { ran++ }() // to runnext; from there the next round kicks it to the ring
	for range rounds {
		round()
	}
	// All in one: while main writes, others may run.
	fmt.Printf("rounds: %d servants: %d\nthe one in the ring ran %d times\nthe one in the global queue ran %d times\n", rounds, servants, ran, turns)
}
