package ch02

import (
	"gosched/chapters/check"
	"gosched/chapters/gmp"
)

// newprocTail checks the go statement: who is asked for the G, where it goes,
// and that the caller keeps running.
func newprocTail(t *check.T) {
	s, mp := t.Sched()
	m := standIn(s)

	// At boot there is no caller.
	s.Newproc(mp, 0x1000)
	check.WantUnlocked(t, s, "Newproc")
	if len(m.asked) != 1 {
		t.Fatalf("Newproc must make one G, through s.Newproc1; it called it %d times", len(m.asked))
	}
	boot := m.asked[0]
	check.Want(t, "the closure that Newproc hands to Newproc1", boot.fn, 0x1000)
	check.Want(t, "the caller that Newproc hands to Newproc1, with no current G,", check.Name(boot.callergp), "nil")
	check.Want(t, "the pc that Newproc hands to Newproc1, with no current G,", boot.callerpc, 0)
	wantCurrent(t, mp, "Newproc at boot", nil)
	wantQueued(t, s, "Newproc at boot", boot.made)

	// A running G starts another.
	caller, queued := check.NewG(s, gmp.Grunnable), check.NewG(s, gmp.Grunnable)
	caller.Sched.PC = 41
	check.Running(mp, caller)
	queue(s, queued)
	s.Newproc(mp, 0x2000)
	made := m.asked[len(m.asked)-1]
	check.Want(t, "the caller that Newproc hands to Newproc1, with G2 running,", check.Name(made.callergp), check.Name(caller))
	check.Want(t, "the pc that Newproc hands to Newproc1, with 41 saved in G2,", made.callerpc, 41)
	wantCurrent(t, mp, "Newproc by G2", caller)
	check.Want(t, "after its go statement the state of G2", check.State(caller), "running")
	wantQueued(t, s, "Newproc by G2, with G3 queued", queued, made.made)
}

// readyQueues checks Ready on a G that waits, and on all that do not.
func readyQueues(t *check.T) {
	for _, next := range []bool{false, true} {
		s, mp := t.Sched()
		tp := check.NewTape(s)
		g := newGs(s, 3, gmp.Grunnable)
		check.Running(mp, g[0])
		queue(s, g[1])
		g[2].Atomicstatus.Store(gmp.Gwaiting)
		s.Ready(mp, g[2], next)
		check.WantUnlocked(t, s, "Ready")
		check.Want(t, "after Ready the state of G3", check.State(g[2]), "runnable")
		wantCurrent(t, mp, "Ready(G3) by G1", g[0])
		wantQueued(t, s, "Ready(G3), with G2 queued", g[1], g[2])
		wantRunnableWhenQueued(t, tp)
		if t.Failed() {
			return
		}
	}
	for _, st := range []uint32{gmp.Gidle, gmp.Grunnable, gmp.Grunning, gmp.Gsyscall, gmp.Gdead} {
		s, mp := t.Sched()
		gp := check.NewG(s, gmp.Grunnable)
		gp.Atomicstatus.Store(st)
		msg := t.Throws(func() { s.Ready(mp, gp, false) })
		if msg != "bad g->status in ready" {
			t.Fatalf("for a G that is %s Ready throws %s; want %q", gmp.StatusName(st), check.Thrown(msg), "bad g->status in ready")
		}
	}
}

// wantRunnableWhenQueued checks the state of each G at the moment when it was
// queued: from then on, another thread might take it and run it.
func wantRunnableWhenQueued(t *check.T, tp *check.Tape) {
	t.Helper()
	for _, c := range tp.Calls {
		if c.G != nil && c.Method == "Globrunqput" && c.Status != gmp.Grunnable {
			t.Errorf("%s was still %s when it was put on the queue; want runnable, since from then on any M may take it", check.Name(c.G), gmp.StatusName(c.Status))
		}
	}
}

// goschedTail checks that the G that yields stands last and the first one runs.
func goschedTail(t *check.T) {
	for _, preempted := range []bool{false, true} {
		s, mp := t.Sched()
		tp := check.NewTape(s)
		g := newGs(s, 3, gmp.Grunnable)
		check.Running(mp, g[0])
		queue(s, g[1], g[2])
		s.GoschedImpl(mp, g[0], preempted)
		check.WantUnlocked(t, s, "GoschedImpl")
		wantCurrent(t, mp, "GoschedImpl(G1), with G2, G3 queued", g[1])
		if g[0].M.Get() != nil {
			t.Errorf("after GoschedImpl(G1), G1.M still points to its M; a G that does not run has no M")
		}
		check.Want(t, "after GoschedImpl(G1) the state of G1", check.State(g[0]), "runnable")
		wantQueued(t, s, "GoschedImpl(G1), with G2, G3 queued", g[2], g[0])
		wantRunnableWhenQueued(t, tp)
		if t.Failed() {
			return
		}
	}

	// Alone, it goes on at once.
	s, mp := t.Sched()
	gp := check.NewG(s, gmp.Grunnable)
	check.Running(mp, gp)
	s.GoschedImpl(mp, gp, false)
	wantCurrent(t, mp, "GoschedImpl(G1), with an empty queue", gp)
	if gp.M.Get() != mp {
		t.Errorf("after GoschedImpl(G1), with an empty queue, G1 runs again, but G1.M does not point to its M")
	}
	check.Want(t, "after GoschedImpl(G1), with an empty queue, the state of G1", check.State(gp), "running")
}

// submitLock checks when s.Lock is held: for the queue always, for what comes
// before and after never.
func submitLock(t *check.T) {
	for _, c := range []struct {
		method string
		call   func(s *gmp.Sched, mp *gmp.M, gp *gmp.G)
	}{
		{"Newproc", func(s *gmp.Sched, mp *gmp.M, gp *gmp.G) { s.Newproc(mp, 0x1000) }},
		{"Ready", func(s *gmp.Sched, mp *gmp.M, gp *gmp.G) {
			waits := check.NewG(s, gmp.Gwaiting)
			s.Ready(mp, waits, false)
		}},
		{"GoschedImpl", func(s *gmp.Sched, mp *gmp.M, gp *gmp.G) { s.GoschedImpl(mp, gp, false) }},
	} {
		s, mp := t.Sched()
		m, tp := standIn(s), check.NewTape(s)
		tp.Before = func(c *check.Call) bool { return c.Method != "Schedule" } // with the lock it would never return
		gp := check.NewG(s, gmp.Grunnable)
		check.Running(mp, gp)
		c.call(s, mp, gp)
		check.WantUnlocked(t, s, c.method)
		puts := tp.Of("Globrunqput")
		if len(puts) != 1 {
			t.Errorf("%s must queue one G, through s.Globrunqput; it called it %d times", c.method, len(puts))
		}
		for _, put := range puts {
			if !put.Locked {
				t.Errorf("%s called %v without holding s.Lock", c.method, put)
			}
		}
		for _, sched := range tp.Of("Schedule") {
			if sched.Locked {
				t.Errorf("%s called Schedule while it held s.Lock, which Schedule takes itself", c.method)
			}
		}
		for _, o := range m.asked {
			if o.locked {
				t.Errorf("%s called Newproc1 while it held s.Lock; making a G takes a long time, and no other M can schedule meanwhile", c.method)
			}
		}
	}
}
