package ch11

import (
	"fmt"

	"gosched/chapters/check"
	"gosched/chapters/gmp"
	"gosched/chapters/machine/sim"
	"gosched/chapters/trace"
)

// limit is far more virtual time than any of the programs needs.
const limit = 200 * sim.Millisecond

// What the programs print.
const (
	readsSum  = "computed 5000200004 read 28"
	shortSum  = "sum 59700"
	lockedSum = "n 20 sum 150514501"
	procsSum  = "4 42"
)

// of counts the events of some kind.
func of(log *trace.Log, kind trace.Kind) (n int) {
	for _, e := range log.Events {
		if e.Kind == kind {
			n++
		}
	}
	return n
}

// reads checks that others run while Ms are in calls.
func reads(t *check.T) {
	for seed := range uint64(8) {
		cpus := 1 + int(seed%4)
		what := fmt.Sprintf("reads.go, on %d CPUs, seed %d,", cpus, seed)
		run := t.Simulate("reads.go", cpus, seed, limit, nil)
		t.Prints(what, run, readsSum)
		if n := run.Sched.Mnext.Get(); n < 9 {
			t.Errorf("%s has %d Ms; eight goroutines wait in calls at the same time, each with an M, and another M runs the others", what, n)
		}
		if of(run.Log, trace.Handoff) == 0 {
			t.Errorf("%s hands off no P (Handoffp); eight Ms wait in calls, and each of them has left a P behind", what)
		}
		t.Forget()
	}
}

// short checks that a call that does not block costs next to nothing.
func short(t *check.T) {
	for _, cpus := range []int{1, 2, 4} {
		what := fmt.Sprintf("short.go on %d CPUs", cpus)
		run := t.Simulate("short.go", cpus, 1, limit, nil)
		t.Prints(what, run, shortSum)
		const bound = 200
		calls := of(run.Log, trace.Syscall)
		if n := run.Sim.Lock("sched.lock").Acquisitions; n > bound {
			t.Errorf("%s makes %d calls, none of which blocks, and takes s.Lock %d times; want at most %d: an M that finds its P again takes no lock", what, calls, n, bound)
		}
		t.Forget()
	}
}

// locked checks that a locked G runs on one M only, and that this one runs no other.
func locked(t *check.T) {
	for seed := range uint64(8) {
		cpus := 1 + int(seed%4)
		what := fmt.Sprintf("locked.go, on %d CPUs, seed %d,", cpus, seed)
		run := t.Simulate("locked.go", cpus, seed, limit, func(o *gmp.Options) { o.Slice = int64(seed%3) * 97 })
		t.Prints(what, run, lockedSum)
		if n := run.Sched.Nmfreed.Get(); n != 1 {
			t.Errorf("%s: in the end s.Nmfreed is %d; want 1: the M of the goroutine that ended without unlocking it", what, n)
		}
		t.Forget()
	}
}

// stops checks that the world stops beside a call.
func stops(t *check.T) {
	for seed := range uint64(6) {
		cpus := 1 + int(seed%3)
		run := t.Simulate("procs.go", cpus, seed, limit, nil)
		t.Prints(fmt.Sprintf("procs.go, on %d CPUs, seed %d,", cpus, seed), run, procsSum)
		t.Forget()
	}
}

// threads runs the programs on real threads, again and again.
func threads(t *check.T) {
	for i := range 12 {
		procs := 1 + i%4
		opt := func(o *gmp.Options) { o.Procs, o.Trace = procs, false }
		for _, p := range []struct{ name, prints string }{
			{"reads.go", readsSum}, {"short.go", shortSum}, {"locked.go", lockedSum}, {"procs.go", procsSum},
		} {
			t.Prints(fmt.Sprintf("%s on real threads, with GOMAXPROCS %d,", p.name, procs), t.Play(p.name, opt), p.prints)
		}
	}
}
