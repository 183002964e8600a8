package ch14

import (
	"fmt"
	"time"

	"gosched/chapters/check"
	"gosched/chapters/gmp"
	"gosched/chapters/machine/sim"
	"gosched/chapters/trace"
)

// limit is far more virtual time than any of the programs needs.
const limit = 400 * sim.Millisecond

// What the programs print.
var (
	tickLines  = []string{"tick 1", "tick 2", "tick 3", "tick 4", "tick 5"}
	placeLines = []string{"796 1600", "xs[1] is 0", "recovered: runtime error: index out of range [7] with length 3"}
)

// The monitor looks each 10 ms when it has had nothing else to do, so it may notice a slice 10
// ms late, and its end as well. Then the signal needs its time.
const (
	shortestSlice = 10 * time.Millisecond
	longestSlice  = 20*time.Millisecond + 200*time.Microsecond
)

// loop checks that a goroutine that calls nothing does not keep its P.
func loop(t *check.T) {
	for seed := range uint64(2) {
		what := fmt.Sprintf("ticks.go on one P, seed %d,", seed)
		run := t.Simulate("ticks.go", 4, seed, limit, func(o *gmp.Options) { o.Procs = 1 })
		t.Prints(what, run, tickLines...)
		ran, ended := map[int64]int64{}, 0
		for _, e := range run.Events(trace.Run, trace.Preempt) {
			if e.Kind == trace.Run {
				ran[e.G] = e.T
				continue
			}
			ended++
			lasted := time.Duration(e.T - ran[e.G])
			if lasted < shortestSlice-100*time.Microsecond || lasted > longestSlice {
				t.Fatalf("%s: a slice of G%d is ended after %v; want 10 ms at least, and %v at most", what, e.G, lasted.Round(10*time.Microsecond), longestSlice)
			}
		}
		if ended < 5 {
			t.Fatalf("%s: main sleeps 5 times beside a goroutine that loops for ever, and %d slices are ended; want 5 or more", what, ended)
		}
		t.Forget()
	}
}

// everywhere checks that a program does not notice where it is stopped.
func everywhere(t *check.T) {
	for k := int64(1); k <= 40; k++ {
		procs := 1 + int(k%2)
		run := t.Simulate("places.go", procs, uint64(k), limit, func(o *gmp.Options) { o.Procs, o.Signal, o.Trace = procs, k, false })
		t.Prints(fmt.Sprintf("places.go, with GOMAXPROCS %d, interrupted after every %d instructions,", procs, k), run, placeLines...)
		t.Forget()
	}
}

// waiting is the budget of a program that computes until a signal has come: on a busy computer that
// may take long, and the deadline of the check ends it as well.
const waiting = 1_000_000_000

// threads plays the programs on real threads.
func threads(t *check.T) {
	for i := range 4 {
		procs := 1 + i%2
		opt := func(o *gmp.Options) { o.Procs, o.Trace, o.Budget = procs, false, waiting }
		t.Prints(fmt.Sprintf("ticks.go on real threads, with GOMAXPROCS %d,", procs), t.Play("ticks.go", opt), tickLines...)
		opt = func(o *gmp.Options) { o.Procs, o.Trace, o.Signal = procs, false, int64(10+i) }
		t.Prints(fmt.Sprintf("places.go on real threads, with GOMAXPROCS %d, interrupted after every %d instructions,", procs, 10+i), t.Play("places.go", opt), placeLines...)
	}
}
