package ch06

import (
	"fmt"

	"gosched/chapters/check"
	"gosched/chapters/gmp"
	"gosched/chapters/machine/sim"
	"gosched/chapters/trace"
)

// limit is far more virtual time than any of the programs needs.
const limit = 200 * sim.Millisecond

// resizes runs a program that changes GOMAXPROCS while goroutines run, with several
// seeds, and watches on which Ps they do.
func resizes(t *check.T) {
	for seed := range uint64(12) {
		cpus := []int{1, 2, 4}[seed%3]
		what := fmt.Sprintf("resize.go, on %d CPUs, seed %d,", cpus, seed)
		run := t.Simulate("resize.go", cpus, seed, limit, func(o *gmp.Options) { o.Slice = int64(seed%4) * 301 })
		t.Prints(what, run, "total 6240 with 3")
		onPs(t, what, run, cpus)
		if t.Failed() {
			return
		}
	}
}

// onPs checks that Gs run on the Ps that there are, and on all of them if there is
// enough to do.
func onPs(t *check.T, what string, run check.Run, ps int) {
	running, used, first := map[int32]bool{}, map[int32]bool{}, true
	for _, e := range run.Log.Events {
		switch e.Kind {
		case trace.Run:
			running[e.P], used[e.P] = true, true
			if int(e.P) >= ps {
				t.Errorf("%s with GOMAXPROCS %d, P%d runs G%d at %d ns; that P is dead", what, ps, e.P, e.G, e.T)
				return
			}
		case trace.Park, trace.Yield, trace.Preempt, trace.Exit, trace.Release:
			delete(running, e.P)
		case trace.Start:
			// The one who called goes on, and no other.
			if len(running) > 1 {
				t.Errorf("%s when the world goes on with %d Ps, at %d ns, %d Gs already run; want one", what, e.N, e.T, len(running))
				return
			}
			// At first there is only one G for a while.
			if n := min(ps, len(run.Sim.CPUs)); len(used) < n && !first {
				t.Errorf("%s with GOMAXPROCS %d, Gs ran on %d Ps; want at least %d: there were enough Gs", what, ps, len(used), n)
			}
			ps, used, first = int(e.N), map[int32]bool{}, false
		}
	}
}

// seldomLocked counts how often a program takes the locks of the shared lists.
func seldomLocked(t *check.T) {
	for _, cpus := range []int{1, 4} {
		run := t.Simulate("spawn.go", cpus, 1, limit, func(o *gmp.Options) { o.Trace = false })
		t.Prints(fmt.Sprintf("spawn.go on %d CPUs", cpus), run, "4000 are done")
		const spawned = 2 * 4000
		// One visit to the shared list moves so many, and it may be that no P has use for
		// what it has fetched.
		sudogs := int64(cap(run.Sched.Allp.Get()[0].Sudogcache.Get()) / 2)
		for _, c := range []struct {
			lock, of string
			atOnce   int64
		}{{"sched.gFree.lock", "goroutine", 32}, {"sched.sudoglock", "sudog", sudogs}} {
			n := run.Sim.Lock(c.lock).Acquisitions
			t.Logf("%d CPUs: %s is taken %.1f times for 1000 goroutines", cpus, c.lock, float64(n)*1000/spawned)
			if n*c.atOnce > 4*spawned {
				t.Errorf("on %d CPUs spawn.go starts %d goroutines, which end soon and wait for a channel once or twice, and %s is taken %d times; a P that fetches and gives away %d %ss at once needs it much less often", cpus, spawned, c.lock, n, c.atOnce, c.of)
			}
		}
	}
}

// visible checks that the explorer sees what the threads of the parts share.
func visible(t *check.T) {
	w := holding(t)
	w.s.Wirep(&gmp.M{ID: 2}, newP(2))
	t.Visible()
}

// threads runs the programs on real threads, again and again: each number of Ps with each slice.
func threads(t *check.T) {
	for i := range 12 {
		procs := 1 + i%4
		opt := func(o *gmp.Options) { o.Procs, o.Trace, o.Slice = procs, false, int64(i%3)*997 }
		what := fmt.Sprintf("on real threads, starting with GOMAXPROCS %d,", procs)
		t.Prints("resize.go "+what, t.Play("resize.go", opt), "total 6240 with 3")
		if i%4 == 3 {
			t.Prints("spawn.go "+what, t.Play("spawn.go", opt), "4000 are done")
		}
	}
}
