package ch17

import (
	"fmt"
	"slices"
	"strings"

	"gosched/chapters/check"
	"gosched/chapters/gmp"
)

// each checks for which Ps ForEachP calls the function itself, and who is left.
func each(t *check.T) {
	w := newWorld(t, 5)
	w.s.Worldsema.Store(true)
	w.idle(2)
	w.idle(3)
	w.inCall(4)
	w.runs(1)
	var ran []string
	fn := func(pp *gmp.P) {
		ran = append(ran, check.PName(pp))
		switch pp.ID {
		case 2, 3:
			check.Must(t, check.Held(&w.s.Lock), "when the function is called for "+check.PName(pp)+", which is idle, s.Lock must be held: another M could take the P")
		case 0:
			check.Must(t, !check.Held(&w.s.Lock), "when the function is called for P0, which is M0's own, s.Lock must not be held")
		case 4:
			check.Must(t, check.PState(pp) != "syscall", "P4 was in a system call; when the function is called for it, it must have been taken, and its state must no longer be syscall")
		}
	}
	var pace rhythm
	w.on("Preemptall", func(c *check.Call) {
		if len(w.Of("Preemptall")) == 1 {
			check.Must(t, c.Locked, "when all are asked to stop for the first time, s.Lock must be held")
			for id := range 5 {
				check.Want(t, fmt.Sprintf("when all are asked to stop, RunSafePointFn of P%d", id), w.p(id).RunSafePointFn.Load(), min(uint32(id), 1))
			}
			check.Want(t, "when all are asked to stop, SafePointWait", w.s.SafePointWait.Get(), 4)
			check.Must(t, w.s.SafePointFn.Get() != nil, "when all are asked to stop, SafePointFn must be set")
			check.Want(t, "when all are asked to stop, the state of G1, which M0 runs,", check.State(w.g1), gmp.StatusName(gmp.Gwaiting))
			check.Want(t, "and why it waits", w.g1.Waitreason.Get(), gmp.WaitReasonGCWorkerIdle)
			return
		}
		check.Want(t, "P1 runs, and P2, P3 and P4 are idle or in a call; for how many Ps M0 waits (SafePointWait)", w.s.SafePointWait.Get(), 1)
		pace.beat(w)
		switch len(w.Of("Preemptall")) {
		case 3:
			w.s.RunSafePointFn(w.p(1), c.Locked)
		case 4:
			t.Fatalf("P1 has called the function, and was the last one; ForEachP(M0) waits on, and SafePointWait is %d", w.s.SafePointWait.Get())
		}
	})
	w.on("Handoffp", func(c *check.Call) {
		pp := check.Arg[*gmp.P](c.Call)
		check.Want(t, "the P that is handed off", check.PName(pp), "P4")
		check.Want(t, "when P4 is handed off, its state", check.PState(pp), "idle")
		pp.Status.Store(gmp.Psyscall) // another call
	})
	w.timed("P1 runs, and has not heard that it is to call the function", func() { w.s.ForEachP(w.m0, gmp.WaitReasonGCWorkerIdle, fn) })
	slices.Sort(ran)
	check.Want(t, "the Ps for which the function was called", strings.Join(ran, " "), "P0 P1 P2 P3 P4")
	check.Want(t, "how often all Ps are asked to stop, since P1 has not heard the first two times", len(w.Of("Preemptall")), 3)
	check.Want(t, "how often the P is handed off that was in a call", len(w.Of("Handoffp")), 1)
	check.Want(t, "after ForEachP SafePointWait", w.s.SafePointWait.Get(), 0)
	check.Must(t, w.s.SafePointFn.Get() == nil, "after ForEachP, SafePointFn must be nil")
	check.Must(t, !signalled(&w.s.SafePointNote), "after ForEachP, SafePointNote must not be signalled: the next one would not wait")
	check.Want(t, "after ForEachP Stopwait, which the P in a call was counted down in,", w.s.Stopwait.Get(), 0)
	check.Want(t, "after ForEachP Gcwaiting", w.s.Gcwaiting.Load(), false)
	check.Want(t, "after ForEachP the state of G1", check.State(w.g1), gmp.StatusName(gmp.Grunning))
	check.Want(t, "after ForEachP the number of idle Ps, which have stayed where they were,", w.s.Npidle.Load(), 2)
	check.WantUnlocked(t, w.s, "ForEachP")

	// One P; and all others idle.
	for _, procs := range []int32{1, 3} {
		w := newWorld(t, procs)
		w.s.Dropg(w.m0)
		for id := 1; id < int(procs); id++ {
			w.idle(id)
		}
		n := int32(0)
		w.timed("all but P0 are idle", func() { w.s.ForEachP(w.m0, gmp.WaitReasonGCWorkerIdle, func(pp *gmp.P) { n++ }) })
		check.Want(t, fmt.Sprintf("there are %d Ps, and all but P0 are idle; how often the function is called", procs), n, procs)
		check.Must(t, !signalled(&w.s.SafePointNote), "after that, SafePointNote must not be signalled")
	}
}

// lateCall checks that a P is taken that enters its call after the first look.
func lateCall(t *check.T) {
	w := newWorld(t, 2)
	w.runs(1)
	ran := 0
	w.on("Preemptall", func(c *check.Call) {
		switch len(w.Of("Preemptall")) {
		case 2:
			w.p(1).M.Set(nil)
			w.inCall(1)
		case 4:
			t.Fatalf("P1 has entered a system call while M0 waits, and M0 has asked all Ps to stop twice since, and waits on: no M has P1, and so none hears; take it from the call")
		}
	})
	w.timed("P1 enters a system call", func() { w.s.ForEachP(w.m0, gmp.WaitReasonGCWorkerIdle, func(pp *gmp.P) { ran++ }) })
	check.Want(t, "P1 enters a system call while M0 waits; how often the function is called", ran, 2)
	check.Want(t, "how often P1 is handed off", len(w.Of("Handoffp")), 1)
}

// eachSure checks that ForEachP is sure.
func eachSure(t *check.T) {
	w := newWorld(t, 2)
	w.s.SafePointWait.Set(1)
	w.idle(1)
	check.WantThrow(t, "another one is under way; ForEachP(M0)",
		check.Thrown(t.Throws(func() { w.s.ForEachP(w.m0, gmp.WaitReasonGCWorkerIdle, func(*gmp.P) {}) })), check.Thrown("forEachP: sched.safePointWait != 0"))
	for _, c := range []struct {
		what, want string
		set        func(w *world)
	}{
		{"SafePointNote is signalled, P1 has called the function, and was not counted", "forEachP: not done", func(w *world) { w.p(1).RunSafePointFn.Store(0) }},
		{"P1 was counted, and its RunSafePointFn is set", "forEachP: P did not run fn", func(w *world) { w.s.SafePointWait.Set(0) }},
	} {
		w := newWorld(t, 2)
		w.runs(1)
		w.on("Preemptall", func(*check.Call) {
			if len(w.Of("Preemptall")) == 2 {
				c.set(w)
				w.s.SafePointNote.Wakeup()
			}
		})
		check.WantThrow(t, c.what+"; ForEachP(M0)",
			w.throws("P1 runs", func() { w.s.ForEachP(w.m0, gmp.WaitReasonGCWorkerIdle, func(*gmp.P) {}) }), check.Thrown(c.want))
	}
}

// safePoint checks that the function is called once for a P, and counted.
func safePoint(t *check.T) {
	for _, lockheld := range []bool{false, true} {
		w := newWorld(t, 3)
		ran := 0
		w.s.SafePointWait.Set(2)
		w.s.SafePointFn.Set(func(pp *gmp.P) {
			ran++
			check.Want(t, "while the function runs, RunSafePointFn of "+check.PName(pp), pp.RunSafePointFn.Load(), 0)
			check.Must(t, w.s.SafePointWait.Get() > 0, "while the function runs for the first of two Ps, SafePointWait must not be 0: it is not done yet")
			if !lockheld {
				check.Must(t, !check.Held(&w.s.Lock), "the caller does not hold s.Lock; it must not be held while the function runs")
			}
		})
		call := func(id int) {
			if lockheld {
				check.Locked(t, w.s, "RunSafePointFn", func() { w.s.RunSafePointFn(w.p(id), true) })
				return
			}
			w.s.RunSafePointFn(w.p(id), false)
			check.WantUnlocked(t, w.s, "RunSafePointFn")
		}
		what := fmt.Sprintf("lockheld is %v; ", lockheld)
		call(0)
		check.Want(t, what+"RunSafePointFn of P0 is 0; how often the function is called", ran, 0)
		check.Want(t, what+"RunSafePointFn of P0 is 0; SafePointWait, which was 2,", w.s.SafePointWait.Get(), 2)
		for id := 1; id <= 2; id++ {
			w.p(id).RunSafePointFn.Store(1)
			call(id)
			call(id)
			check.Want(t, what+fmt.Sprintf("RunSafePointFn of P%d was 1, and the method was called twice; how often the function is called for it", id), ran, id)
			check.Want(t, what+"SafePointWait, which was 2, after that", w.s.SafePointWait.Get(), int32(2-id))
			check.Must(t, signalled(&w.s.SafePointNote) == (id == 2), what+"SafePointNote "+check.MustIf(id == 2)+" be signalled")
			if t.Failed() {
				return
			}
		}
	}
}
