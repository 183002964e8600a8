package ch05

import (
	"gosched/chapters/check"
	"gosched/chapters/gmp"
)

// executeLinks checks what Execute does to M and G.
func executeLinks(t *check.T) {
	w := newWorld(t, 1)
	gp := check.NewG(w.s, gmp.Grunnable)
	w.s.Execute(w.m0, gp, false)
	if w.m0.Curg.Get() != gp || gp.M.Get() != w.m0 {
		t.Errorf("after Execute(G1) on M0 they do not point at each other, by Curg and M")
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
		t.Errorf("Schedule called Execute with s.Lock held: G1 would run with it, and all others would have to wait")
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

// submitted checks that gp was queued and an M looked for in one step.
func (w *world) submitted(who string, gp *gmp.G) {
	t := w.t
	t.Helper()
	check.WantUnlocked(w.t, w.s, who)
	w.WantLocked(w.t, who, "Globrunqput")
	w.WantLocked(w.t, who, "Matchmg")
	puts, matches := w.Of("Globrunqput"), w.Of("Matchmg")
	if len(puts) != 1 || puts[0].G != gp {
		t.Fatalf("%s called Globrunqput %d times; want once, for %s", who, len(puts), check.Name(gp))
	}
	check.Want(t, "when "+who+" calls Globrunqput the state of "+check.Name(gp), gmp.StatusName(puts[0].Status), "runnable")
	if len(matches) != 1 {
		t.Fatalf("%s called Matchmg %d times; want once: idle Ms do not look at the queue, somebody must wake them", who, len(matches))
	}
	check.Want(t, "when "+who+" calls Matchmg the number of queued Gs", matches[0].Queued, 1)
}

// newproc checks the go statement.
func newproc(t *check.T) {
	w := newWorld(t, 1)
	caller := check.NewG(w.s, gmp.Grunnable)
	check.Running(w.m0, caller)
	w.s.Newproc(w.m0, 64)
	gp := w.made[64]
	if gp == nil {
		t.Fatalf("Newproc(fn 64) did not make a G for it by Newproc1")
	}
	for _, c := range w.Of("Newproc1") {
		if c.Locked {
			t.Errorf("Newproc called Newproc1 with s.Lock held; a new G is nobody else's business, and all others wait meanwhile")
		}
		check.Want(t, "the caller that Newproc told Newproc1", check.Name(c.G), "G1")
	}
	w.submitted("Newproc", gp)
	check.Want(t, "after Newproc, called by G1, M0.Curg", check.Name(w.m0.Curg.Get()), "G1")

	w = newWorld(t, 2) // an M may come
	check.Running(w.m0, check.NewG(w.s, gmp.Grunnable))
	ms := w.idle(1)
	w.s.Newproc(w.m0, 64)
	check.Want(t, "one M runs, two may, M1 is idle; after Newproc, which made G2, M1.Nextg", check.Name(ms[0].Nextg.Get()), "G2")
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
	w.s.Ready(w.m0, check.NewG(w.s, gmp.Gwaiting), false)
	check.Want(t, "one M runs, two may, M1 is idle; after Ready(G1) M1.Nextg", check.Name(ms[0].Nextg.Get()), "G1")
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
	puts := w.Of("Globrunqput")
	if len(puts) != 1 || puts[0].G != gp {
		t.Fatalf("GoschedImpl(G3) called Globrunqput %d times; want once, for G3", len(puts))
	}
	check.Want(t, "when G3 is queued its state", gmp.StatusName(puts[0].Status), "runnable")
	if !puts[0].Free {
		t.Errorf("when G3 is queued M0 and G3 still point at each other; another M may run G3 as soon as the lock is free")
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
