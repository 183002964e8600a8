package ch05

import (
	"gosched/chapters/check"
	"gosched/chapters/gmp"
	"gosched/chapters/machine"
)

// executeLinks checks what Execute does to M and G.
func executeLinks(t *check.T) {
	w := newWorld(t, 1)
	gp := check.NewG(w.s, gmp.Grunnable)
	w.Before = func(c *check.Call) bool {
		if c.Method == "Casgstatus" && (gp.M.Get() != w.m0 || w.m0.Curg.Get() != gp) {
			t.Errorf("Execute(G1) changes the state of G1 before G1 and M0 point to each other: an M that sees the state believes that G1 runs on an M, and finds none")
		}
		return w.before(c)
	}
	w.s.Execute(w.m0, gp, false)
	w.Before = w.before
	if w.m0.Curg.Get() != gp || gp.M.Get() != w.m0 {
		t.Errorf("after Execute(G1) on M0 they do not point to each other, by Curg and M")
	}
	check.Want(t, "after Execute the state of G1", check.State(gp), "running")
	gp = check.NewG(w.s, gmp.Gwaiting)
	if msg := t.Throws(func() { w.s.Execute(w.m0, gp, false) }); msg == "" {
		t.Errorf("Execute of a G that waits must throw, as Casgstatus does")
	}
}

// scheduleRuns checks that Schedule runs what NextGAndUnlock returns.
func scheduleRuns(t *check.T) {
	w := newWorld(t, 1)
	gp := check.NewG(w.s, gmp.Grunnable)
	w.s.Mcpu.Set(1)
	w.m0.Nextg.Set(gp)
	w.schedule(w.m0)
	check.WantUnlocked(w.t, w.s, "Schedule")
	calls := w.Of("Execute")
	if len(calls) != 1 || calls[0].G != gp {
		t.Fatalf("NextGAndUnlock returned G1, and Schedule called Execute %d times; want once, for G1", len(calls))
	}
	if calls[0].Locked {
		t.Errorf("Schedule called Execute with s.Lock held: G1 would run with it held, and all others would have to wait")
	}
	if check.Arg[bool](calls[0].Call) {
		t.Errorf("Schedule called Execute with inheritTime set; the G gets a time slice of its own")
	}

	w = newWorld(t, 1)
	g := w.queued(1)
	w.s.Exit(w.m0, 0)
	w.schedule(w.m0)
	check.WantUnlocked(w.t, w.s, "Schedule after the end of the program")
	check.Want(t, "after the end of the program and Schedule, the queue", check.Names(check.Drain(w.s)), check.Names(g))
}

// submitted checks how gp was queued, where no other M may come for it.
func (w *world) submitted(who string, gp *gmp.G) {
	t := w.t
	t.Helper()
	check.WantUnlocked(w.t, w.s, who)
	w.WantLocked(w.t, who, "Globrunqput")
	w.WantLocked(w.t, who, "Matchmg")
	puts := w.Of("Globrunqput")
	if len(puts) != 1 || puts[0].G != gp {
		t.Fatalf("%s called Globrunqput %d times; want once, for %s", who, len(puts), check.Name(gp))
	}
	check.Want(t, "when "+who+" calls Globrunqput the state of "+check.Name(gp), gmp.StatusName(puts[0].Status), "runnable")
	check.Want(t, "one M runs, and one may; after "+who+" the queue", check.Names(check.Drain(w.s)), check.Name(gp))
}

// wantFetched checks that mp, which was idle, comes for gp.
func (w *world) wantFetched(who string, mp *gmp.M, gp *gmp.G) {
	w.t.Helper()
	if mp.Nextg.Get() != gp || !check.Woken(mp) {
		w.t.Errorf("one M runs, two may, and %[1]s is idle; %[2]s did not give %[3]s to it and wake it: %[3]s stays on the queue, since idle Ms do not look there", check.MName(mp), who, check.Name(gp))
	}
}

// newproc checks the go statement.
func newproc(t *check.T) {
	w := newWorld(t, 1)
	caller := check.NewG(w.s, gmp.Grunnable)
	caller.Sched.PC = 1234
	check.Running(w.m0, caller)
	w.s.Newproc(w.m0, 64)
	gp := w.made[64]
	if gp == nil {
		t.Fatalf("Newproc(fn 64) did not make a G for it by Newproc1")
	}
	for _, c := range w.Of("Newproc1") {
		if c.Locked {
			t.Errorf("Newproc called Newproc1 with s.Lock held; no other M knows the new G yet, and all of them wait meanwhile")
		}
		check.Want(t, "the caller that Newproc told Newproc1", check.Name(c.G), "G1")
		check.Want(t, "where the caller was, by what Newproc told Newproc1,", check.Arg[machine.PC](c.Call), caller.Sched.PC)
	}
	w.submitted("Newproc", gp)
	check.Want(t, "after Newproc, called by G1, M0.Curg", check.Name(w.m0.Curg.Get()), "G1")

	w = newWorld(t, 2) // an M may come
	check.Running(w.m0, check.NewG(w.s, gmp.Grunnable))
	ms := w.idle(1)
	w.s.Newproc(w.m0, 64)
	w.wantFetched("Newproc", ms[0], w.made[64])

	w = newWorld(t, 1) // as at boot
	w.s.Newproc(w.m0, 64)
	for _, c := range w.Of("Newproc1") {
		if pc := check.Arg[machine.PC](c.Call); c.G != nil || pc != 0 {
			t.Errorf("M0 has no G, as at boot, and Newproc told Newproc1 that %s called it, at pc %d; want nil and 0", check.Name(c.G), pc)
		}
	}
}

// ready checks the wake-up of a G.
func ready(t *check.T) {
	for _, next := range []bool{false, true} {
		w := newWorld(t, 1)
		gp := check.NewG(w.s, gmp.Gwaiting)
		w.s.Ready(w.m0, gp, next)
		w.submitted("Ready", gp)
	}
	for _, st := range []uint32{gmp.Grunnable, gmp.Grunning, gmp.Gdead} {
		w := newWorld(t, 1)
		gp := check.NewG(w.s, st)
		msg := t.Throws(func() { w.s.Ready(w.m0, gp, false) })
		check.Want(t, "what Ready(G1) throws when G1 is "+gmp.StatusName(st), msg, "bad g->status in ready")
	}
	w := newWorld(t, 2)
	ms := w.idle(1)
	gp := check.NewG(w.s, gmp.Gwaiting)
	w.s.Ready(w.m0, gp, false)
	w.wantFetched("Ready", ms[0], gp)
}

// yield checks GoschedImpl.
func yield(t *check.T) {
	w := newWorld(t, 1)
	g := w.queued(2)
	gp := check.NewG(w.s, gmp.Grunnable)
	check.Running(w.m0, gp)
	w.s.GoschedImpl(w.m0, gp, false)
	check.WantUnlocked(w.t, w.s, "GoschedImpl")
	w.WantLocked(w.t, "GoschedImpl", "Globrunqput")
	w.WantLinkedUntil(w.t, "GoschedImpl", gp)
	puts := w.Of("Globrunqput")
	if len(puts) != 1 || puts[0].G != gp {
		t.Fatalf("GoschedImpl(G3) called Globrunqput %d times; want once, for G3", len(puts))
	}
	check.Want(t, "when G3 is queued its state", gmp.StatusName(puts[0].Status), "runnable")
	if !puts[0].Free {
		t.Errorf("when G3 is queued M0 and G3 still point to each other; another M may run G3 as soon as the lock is free")
	}
	if len(w.Of("Schedule")) != 1 {
		t.Errorf("GoschedImpl called Schedule %d times; want once", len(w.Of("Schedule")))
	}
	check.Want(t, "after GoschedImpl(G3) the queue", check.Names(check.Drain(w.s)), check.Names(append(g, gp)))

	w = newWorld(t, 2)
	gp = check.NewG(w.s, gmp.Grunnable)
	ms := w.idle(1)
	check.Running(w.m0, gp)
	w.s.GoschedImpl(w.m0, gp, false)
	if check.Woken(ms[0]) {
		t.Errorf("G1 is the only G; it yields, and GoschedImpl wakes M1 to run it. M0 itself is about to look for a G, and then goes idle: two threads for one G")
	}
}
