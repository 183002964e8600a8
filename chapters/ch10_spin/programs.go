package ch10

import (
	"fmt"
	"strconv"
	"time"

	"gosched/chapters/check"
	"gosched/chapters/gmp"
	"gosched/chapters/machine/sim"
	"gosched/chapters/trace"
)

// limit is far more virtual time than any of the programs needs.
const limit = 200 * sim.Millisecond

// untraced leaves out the log of a run, which takes time and is not looked at.
func untraced(o *gmp.Options) { o.Trace = false }

// What the programs print.
const (
	burstSum  = "sum 14401440056"
	breathSum = "sum 766474850"
	pairsSum  = "sum 2080"
)

// Unserved is how long at most, in ns, a G waited in a queue while a P was idle and no M
// was looking for work or on its way to.
func Unserved(log *trace.Log) int64 {
	queued, coming := map[int64]bool{}, map[int32]bool{}
	busy, since, longest := 0, int64(-1), int64(0)
	for _, e := range log.Events {
		if since >= 0 {
			longest = max(longest, e.T-since)
		}
		switch e.Kind {
		case trace.Put:
			queued[e.G] = true
		case trace.Get:
			delete(queued, e.G)
		case trace.Steal:
			delete(queued, e.Gs[len(e.Gs)-1])
		case trace.NewM, trace.Wake, trace.Spin:
			coming[e.M] = true
		case trace.Unspin, trace.Run, trace.Idle:
			delete(coming, e.M)
		case trace.Acquire:
			busy++
		case trace.Release:
			busy--
		}
		unserved := len(queued) > 0 && busy < log.Header.Procs && len(coming) == 0
		switch {
		case !unserved:
			since = -1
		case since < 0:
			since = e.T
		}
	}
	return longest
}

// A G may wait unserved for as long as it takes to tell somebody. Right code stays far
// below this; whoever was not told comes after many times as long, if ever.
const unservedBound = 8 * time.Microsecond

// The sweep: in the life of an M that comes for a G and finds no other, which is over
// after sweepEnd instructions, phases.go starts a G each seven instructions. A seed takes
// a part of it; a tenth one takes the next of the seven instructions in between.
const (
	sweepParts = 10
	sweepMany  = 60
	sweepStep  = 7
)

// Conserves is a check: no P idles beside a G that waits, in runs with so many seeds. It
// takes sweepParts of them to come by all moments.
func Conserves(seeds uint64) func(t *check.T) {
	return func(t *check.T) {
		longest := int64(0)
		for seed := range seeds {
			for _, cpus := range []int{2, 4} {
				first := int(seed%sweepParts)*sweepMany*sweepStep + int(seed/sweepParts%sweepStep)
				run := t.Simulate("phases.go", cpus, seed, limit, func(o *gmp.Options) {
					o.Machine.Args = []string{"phases.go", strconv.Itoa(first), strconv.Itoa(sweepMany)}
				})
				ns := Unserved(run.Log)
				longest = max(longest, ns)
				if ns > unservedBound.Nanoseconds() {
					t.Fatalf("phases.go %d %d, on %d CPUs, seed %d: a G waited for %v in a queue, beside an idle P, and no M was looking for work or on its way to it; it may wait only as long as it takes to wake an M, less than %v",
						first, sweepMany, cpus, seed, time.Duration(ns).Round(10*time.Microsecond), unservedBound)
				}
				t.Forget()
			}
		}
		t.Logf("%d seeds: the longest that a G waited unserved is %v", seeds, time.Duration(longest))
	}
}

// coarse is a time for people.
func coarse(d time.Duration) time.Duration { return d.Round(50 * time.Microsecond) }

// chain checks that one Wakep brings all Ps to work, one after the other.
func chain(t *check.T) {
	one := t.Simulate("burst.go", 1, 1, limit, untraced)
	t.Prints("burst.go on one CPU", one, burstSum)
	for _, cpus := range []int{2, 4} {
		run := t.Simulate("burst.go", cpus, 1, limit, nil)
		t.Prints(fmt.Sprintf("burst.go on %d CPUs", cpus), run, burstSum)
		if bound := one.Sim.Elapsed * 8 / 5 / time.Duration(cpus); run.Sim.Elapsed > bound {
			t.Errorf("burst.go takes %v on one CPU, and %v on %d; eight goroutines are ready at once, and if all Ps work it takes less than %v", coarse(one.Sim.Elapsed), coarse(run.Sim.Elapsed), cpus, coarse(bound))
		}
	}
}

// parked checks how many Ms there are, and how many spin.
func parked(t *check.T) {
	const cpus = 4
	for seed := range uint64(5) {
		what := fmt.Sprintf("breath.go on %d CPUs, seed %d,", cpus, seed)
		run := t.Simulate("breath.go", cpus, seed, limit, nil)
		t.Prints(what, run, breathSum)
		if n := run.Sched.Mnext.Get(); n > 2*cpus {
			t.Errorf("%s makes %d Ms; those that are parked should be woken before new ones are made", what, n)
		}
		spinning, most, idle := map[int32]bool{}, 0, 0
		for _, e := range run.Log.Events {
			switch e.Kind {
			case trace.Spin:
				spinning[e.M] = true
				most = max(most, len(spinning))
			case trace.Unspin:
				delete(spinning, e.M)
			case trace.Idle:
				idle++
			}
		}
		if most == 0 || idle == 0 {
			t.Errorf("%s: Ms spun %v, slept %v; there must be both, since there is much to do and then nothing", what, most > 0, idle > 0)
		}
		if most > cpus/2+1 {
			t.Errorf("%s: %d Ms spin at the same time; half of the busy Ps may, and one that was woken", what, most)
		}
		t.Forget()
	}
}

// talks runs a program in which Ps run out of work all the time, each time with other
// delays.
func talks(t *check.T) {
	for seed := range uint64(40) {
		cpus := 1 + int(seed%5)
		run := t.Simulate("pairs.go", cpus, seed, limit, func(o *gmp.Options) {
			o.Trace = false
			o.Slice = int64(seed%7) * 13
		})
		t.Prints(fmt.Sprintf("pairs.go, on %d CPUs, seed %d,", cpus, seed), run, pairsSum)
	}
}

// threads runs programs on real threads, again and again.
func threads(t *check.T) {
	for i := range 16 {
		procs := 1 + i%4
		opt := func(o *gmp.Options) { o.Procs, o.Trace = procs, false }
		t.Prints(fmt.Sprintf("pairs.go on real threads, with GOMAXPROCS %d,", procs), t.Play("pairs.go", opt), pairsSum)
		t.Prints(fmt.Sprintf("burst.go on real threads, with GOMAXPROCS %d,", procs), t.Play("burst.go", opt), burstSum)
	}
}
