package ch12

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

// onOneP plays a program on one P, with CPUs enough for the monitor and for Ms in system
// calls.
func onOneP(t *check.T, name string, seed uint64, traced bool, args ...string) check.Run {
	return t.Simulate(name, 4, seed, limit, func(o *gmp.Options) {
		o.Procs, o.Trace = 1, traced
		o.Machine.Args = append([]string{name}, args...)
	})
}

// What the programs print.
const hogSum = "2483101186"

// The monitor looks each 10 ms when it has had nothing else to do, so it may notice a slice
// 10 ms late, and its end as well. Then the G must come to a prologue.
const (
	shortestSlice = 10 * time.Millisecond
	longestSlice  = 20*time.Millisecond + 200*time.Microsecond
)

// hogs checks that goroutines that compute take turns.
func hogs(t *check.T) {
	for seed := range uint64(2) {
		what := fmt.Sprintf("hog.go on one P, seed %d,", seed)
		run := onOneP(t, "hog.go", seed, true)
		t.Prints(what, run, hogSum)
		ran, slices := map[int64]int64{}, 0
		for _, e := range run.Events(trace.Run, trace.Preempt) {
			if e.Kind == trace.Run {
				ran[e.G] = e.T
				continue
			}
			slices++
			lasted := time.Duration(e.T - ran[e.G])
			if lasted < shortestSlice-100*time.Microsecond || lasted > longestSlice {
				t.Fatalf("%s: a slice of G%d is ended after %v; want 10 ms at least, and %v at most: the monitor may notice up to 10 ms late that it has begun", what, e.G, lasted.Round(10*time.Microsecond), longestSlice)
			}
		}
		if slices < 4 {
			t.Fatalf("%s: two goroutines compute for 56 ms each, and %d slices are ended; want 4 or more", what, slices)
		}
		t.Forget()
	}
}

// ring checks that a slice that two Gs share is ended as well.
func ring(t *check.T) {
	for seed := range uint64(3) {
		what := fmt.Sprintf("ring.go on one P, seed %d,", seed)
		run := onOneP(t, "ring.go", seed, false)
		after := 0
		if _, err := fmt.Sscanf(run.Stdout, "the one in the ring ran after %d ms\n", &after); err != nil || run.Fatal != "" {
			t.Fatalf("%s prints %q; main and its servant share one time slice, which must end after 10 ms; then the third goroutine runs", what, run.Stdout)
		}
		if after < 10 || after > 41 {
			t.Fatalf("%s: the third goroutine ran after %d ms; want 10 ms at least, and 41 ms at most", what, after)
		}
	}
}

// blocked checks that an M that sleeps in the kernel does not keep its P.
func blocked(t *check.T) {
	for seed := range uint64(3) {
		what := fmt.Sprintf("blocked.go on one P, seed %d,", seed)
		run := onOneP(t, "blocked.go", seed, true)
		after := 0
		if _, err := fmt.Sscanf(run.Stdout, "the P was free after %d µs\n", &after); err != nil || run.Fatal != "" {
			t.Fatalf("%s prints %q; one goroutine reads from an empty pipe, and the others need its P", what, run.Stdout)
		}
		if after < 40 || after > 150 {
			t.Fatalf("%s: the P of a blocked M was used again after %d µs; want some more than 40: two looks of the monitor, each 20 µs after the last", what, after)
		}
		t.Forget()
	}
}

// On real threads hog.go computes for a few slices, and prints this. The race detector takes twenty
// times as long.
const (
	fewSteps = "1000000"
	fewSum   = "691603330"
)

// threads plays the programs on real threads.
func threads(t *check.T) {
	for i := range 2 {
		procs := 1 + i%2
		opt := func(o *gmp.Options) { o.Procs, o.Trace = procs, false }
		hog := t.Play("hog.go", func(o *gmp.Options) {
			opt(o)
			o.Machine.Args = []string{"hog.go", fewSteps}
		})
		t.Prints(fmt.Sprintf("hog.go on real threads, with GOMAXPROCS %d,", procs), hog, fewSum)
		if run := t.Play("blocked.go", opt); run.Status != 0 {
			t.Fatalf("blocked.go on real threads, with GOMAXPROCS %d, ends with %s", procs, run.Fatal)
		}
	}
}
