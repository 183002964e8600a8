package ch03

import (
	"gosched/chapters/check"
	"gosched/chapters/gmp"
)

// parkWaits checks what Gopark does to G and M, and that it schedules.
func parkWaits(t *check.T) {
	w := newWorld(t)
	gp := w.newG()
	w.run(gp)
	w.s.Gopark(w.mp, gp, nil, nil, gmp.WaitReasonSleep)
	w.WantLinkedUntil(t, "Gopark", gp)
	check.Want(t, "after Gopark(G1) the state of G1", check.State(gp), "waiting")
	check.Want(t, "after Gopark(G1) its Waitreason", gp.Waitreason.Get(), gmp.WaitReasonSleep)
	check.Want(t, "after Gopark(G1) mp.Curg", check.Name(w.mp.Curg.Get()), "nil")
	if gp.M.Get() != nil {
		t.Errorf("after Gopark(G1) G1.M still points to its M; a G that does not run has no M")
	}
	check.Want(t, "after Gopark(G1) the global queue", check.Names(check.Drain(w.s)), "nothing")
	if n := len(w.Of("Schedule")); n != 1 {
		t.Errorf("Gopark called s.Schedule %d times; want once, to let another one run", n)
	}

	for _, st := range []uint32{gmp.Gidle, gmp.Grunnable, gmp.Gsyscall, gmp.Gwaiting, gmp.Gdead} {
		w = newWorld(t)
		gp = w.newG()
		gp.Atomicstatus.Store(st)
		gp.Waitreason.Set(gmp.WaitReasonSleep)
		if msg := t.Throws(func() { w.s.Gopark(w.mp, gp, nil, nil, gmp.WaitReasonSelect) }); msg != "gopark: bad g status" {
			t.Errorf("for a G that is %s Gopark throws %s; want %q: only a running G can park", gmp.StatusName(st), check.Thrown(msg), "gopark: bad g status")
		}
		check.Want(t, "after that throw, which lists all Gs and what they wait for, the Waitreason of G1", gp.Waitreason.Get(), gmp.WaitReasonSleep)
	}
}

// parkUnlockf checks when unlockf is called, how often, and with what.
func parkUnlockf(t *check.T) {
	w := newWorld(t)
	gp := w.newG()
	w.run(gp)
	called, lock := 0, new(int)
	w.s.Gopark(w.mp, gp, func(g *gmp.G, l any) bool {
		called++
		check.Want(t, "the G that unlockf is called with", check.Name(g), check.Name(gp))
		if l != any(lock) {
			t.Errorf("unlockf is called with a different lock from the one given to Gopark")
		}
		if st := check.State(gp); st != "waiting" {
			t.Errorf("when unlockf is called G1 is %s; want waiting: once the lock is free another M may call Goready, which throws for a G that does not wait", st)
		}
		check.Want(t, "when unlockf is called the Waitreason of G1", gp.Waitreason.Get(), gmp.WaitReasonChanReceive)
		if w.mp.Curg.Get() == gp || gp.M.Get() != nil {
			t.Errorf("when unlockf is called mp and G1 still point to each other; once the lock is free, another M may run G1")
		}
		if n := len(w.Of("Schedule")); n > 0 {
			t.Errorf("Gopark called Schedule before unlockf: the next G would run with the lock held")
		}
		return true
	}, lock, gmp.WaitReasonChanReceive)
	check.Want(t, "the number of calls of unlockf", called, 1)
}

// parkGoesOn checks an unlockf that says no.
func parkGoesOn(t *check.T) {
	w := newWorld(t)
	g := w.newGs(2)
	w.s.Lock.Lock()
	w.s.Globrunqput(g[1])
	w.s.Lock.Unlock()
	w.run(g[0])
	w.s.Gopark(w.mp, g[0], func(*gmp.G, any) bool { return false }, nil, gmp.WaitReasonSelect)
	check.Want(t, "after Gopark(G1), whose unlockf returned false, mp.Curg", check.Name(w.mp.Curg.Get()), "G1")
	check.Want(t, "after Gopark(G1), whose unlockf returned false, the state of G1", check.State(g[0]), "running")
	check.Want(t, "after Gopark(G1), whose unlockf returned false, the global queue", check.Names(check.Drain(w.s)), "G2")
	if n := len(w.Of("Schedule")); n > 0 {
		t.Errorf("unlockf returned false, but Gopark still called Schedule; G1 must go on at once")
	}
	runs := w.Of("Execute")
	if len(runs) != 1 {
		t.Fatalf("unlockf returned false, and Gopark called s.Execute %d times; want once, for G1", len(runs))
	}
	if !check.Arg[bool](runs[0].Call) {
		t.Errorf("Gopark executes G1 again with a new time slice; it must continue the one it had (inheritTime)")
	}
}

// readyNext checks that Goready is Ready with next set, once.
func readyNext(t *check.T) {
	w := newWorld(t)
	g := w.newGs(2)
	w.run(g[0])
	g[1].Atomicstatus.Store(gmp.Gwaiting)
	w.s.Goready(w.mp, g[1])
	calls := w.Of("Ready")
	if len(calls) != 1 || calls[0].G != g[1] {
		t.Fatalf("Goready(G2) called s.Ready %d times; want once, for G2", len(calls))
	}
	if !check.Arg[bool](calls[0].Call) {
		t.Errorf("Goready(G2) called Ready without next; what G2 waited for has just happened, so it should run next")
	}
	check.Want(t, "after Goready(G2) the global queue", check.Names(check.Drain(w.s)), "G2")
	check.Want(t, "after Goready(G2), called while G1 runs, mp.Curg", check.Name(w.mp.Curg.Get()), "G1")
}
