package ch12

import (
	"gosched/chapters/check"
	"gosched/chapters/gmp"
)

// ask checks the request to stop.
func ask(t *check.T) {
	for _, c := range []struct {
		what string
		make func(w *world, gp *gmp.G)
		want bool
	}{
		{"P0 runs G1", func(w *world, gp *gmp.G) {}, true},
		{"P0 runs G1, whose scan bit another M holds", func(w *world, gp *gmp.G) { gp.Atomicstatus.Store(gmp.Grunning | gmp.Gscan) }, true},
		{"P0 runs G1, which was asked before", func(w *world, gp *gmp.G) { gp.Preempt.Set(true) }, true},
		{"P0 runs G1, whose stack is moving (Gcopystack), and which goes on with this slice afterwards", func(w *world, gp *gmp.G) { gp.Atomicstatus.Store(gmp.Gcopystack) }, true},
		{"P0 has no M", func(w *world, gp *gmp.G) { w.p(0).M.Set(nil) }, false},
		{"P0 belongs to the M that asks", func(w *world, gp *gmp.G) { w.mon = gp.M.Get() }, false},
		{"P0's M runs no G", func(w *world, gp *gmp.G) { gp.M.Get().Curg.Set(nil) }, false},
		{"P0's M runs G1, which is in a system call", func(w *world, gp *gmp.G) { gp.Atomicstatus.Store(gmp.Gsyscall) }, false},
		{"P0's M runs G1, which is in a system call, and whose scan bit another M holds", func(w *world, gp *gmp.G) { gp.Atomicstatus.Store(gmp.Gsyscall | gmp.Gscan) }, false},
	} {
		w := newWorld(t, 1)
		gp := w.runs(0, 1)
		c.make(w, gp)
		was := gp.Preempt.Get()
		got := w.monitor.Preemptone(w.mon, w.p(0))
		preempt, poisoned := asked(gp)
		check.Want(t, c.what+"; the result of Preemptone", got, c.want)
		check.Want(t, c.what+"; after Preemptone G1.Preempt", preempt, c.want || was)
		check.Must(t, poisoned == c.want, c.what+"; after Preemptone, G1's guard, G1.Sched.Guard, "+check.MustIf(c.want)+" be machine.StackPreempt")
		check.Want(t, c.what+", and this Go has no signals; after Preemptone P0.Preempt", w.p(0).Preempt.Get(), false)
		check.Want(t, c.what+", and this Go has no signals; how often Preemptone calls PreemptM", len(w.Of("PreemptM")), 0)
	}
}

// askBySignal checks what Go 1.14 adds to it.
func askBySignal(t *check.T) {
	v := t.Version()
	v.Signals = func(s *gmp.Sched) gmp.Signals { return &scripted{} }
	w := newWorldOf(t, 1, v, gmp.Options{})
	gp := w.runs(0, 1)
	target := gp.M.Get()
	w.happens["PreemptM"] = func() {
		preempt, _ := asked(gp)
		check.Must(t, preempt && w.p(0).Preempt.Get(), "when PreemptM is called, G1.Preempt and P0.Preempt must be set")
	}
	check.Want(t, "P0 runs G1, in a Go with signals; the result of Preemptone", w.monitor.Preemptone(w.mon, w.p(0)), true)
	calls := w.Of("PreemptM")
	if len(calls) != 1 {
		t.Fatalf("P0 runs G1, in a Go with signals; Preemptone calls PreemptM %d times; want once: G1 may be in a loop without a prologue", len(calls))
	}
	if got := check.Arg[*gmp.M](calls[0].Call); got != target {
		t.Errorf("P0 belongs to M0; Preemptone calls PreemptM for another M; the signal is for the one that runs the G")
	}
	gp.M.Get().Curg.Set(nil)
	w.Calls = nil
	w.monitor.Preemptone(w.mon, w.p(0))
	check.Want(t, "P0's M runs no G, in a Go with signals; how often Preemptone calls PreemptM", len(w.Of("PreemptM")), 0)
}

// askAll checks that all Ps are asked, and only those that run.
func askAll(t *check.T) {
	w := newWorld(t, 6)
	var gs []*gmp.G
	for id := range 6 {
		gs = append(gs, w.runs(id, 1))
	}
	gs[1].Atomicstatus.Store(gmp.Gsyscall)
	gs[5].Atomicstatus.Store(gmp.Gsyscall)
	w.p(2).Status.Store(gmp.Pgcstop)
	w.p(3).Status.Store(gmp.Psyscall)
	var got bool
	check.Locked(t, w.s, "Preemptall", func() { got = w.monitor.Preemptall(w.mon) })
	check.Want(t, "P0 and P4 run Gs, P1 and P5 Gs that are in system calls; the result of Preemptall", got, true)
	for id, want := range []bool{true, false, false, false, true, false} {
		preempt, _ := asked(gs[id])
		check.Must(t, preempt == want, "P2 is "+check.PState(w.p(2))+", P3 is "+check.PState(w.p(3))+", the Gs of P1 and P5 are in system calls, P0 and P4 run; after Preemptall, the G of "+check.PName(w.p(id))+" "+check.MustIf(want)+" have been asked to stop")
	}
	check.Want(t, "P0, P1, P4 and P5 are running; how often Preemptall calls Preemptone, through s,", len(w.Of("Preemptone")), 4)
	for id := range 6 {
		gs[id].M.Get().Curg.Set(nil)
	}
	check.Locked(t, w.s, "Preemptall", func() { got = w.monitor.Preemptall(w.mon) })
	check.Want(t, "no P runs a G; the result of Preemptall", got, false)
}
