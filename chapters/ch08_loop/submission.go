package ch08

import (
	"gosched/chapters/check"
	"gosched/chapters/gmp"
)

// wantWakep checks that after gp was queued somebody was told, once, without the lock.
func (w *world) wantWakep(who string, gp *gmp.G) {
	t := w.t
	t.Helper()
	check.WantUnlocked(w.t, w.s, who)
	wakes := w.Of("Wakep")
	if len(wakes) != 1 {
		t.Fatalf("%s called Wakep %d times; want once: if a P is idle, somebody must come with it", who, len(wakes))
	}
	if wakes[0].Locked {
		t.Errorf("%s called Wakep with s.Lock held; Wakep takes it itself", who)
	}
	if w.waiting == 0 && wakes[0].Queued == 0 {
		t.Errorf("%s called Wakep before %s was on a queue: who comes then finds nothing, and goes to sleep again", who, check.Name(gp))
	}
}

// localPut checks that gp was put on the queue of P0, once.
func (w *world) localPut(who string, gp *gmp.G, next bool) {
	t := w.t
	t.Helper()
	puts := w.Of("Runqput")
	if len(puts) != 1 || puts[0].G != gp {
		t.Fatalf("%s called Runqput %d times; want once, for %s: it goes on the queue of M0's P", who, len(puts), check.Name(gp))
	}
	check.Want(t, "when "+who+" calls Runqput the state of "+check.Name(gp), gmp.StatusName(puts[0].Status), "runnable")
	check.Want(t, who+" puts "+check.Name(gp)+" on P0; what it tells Runqput of next", check.Arg[bool](puts[0].Call), next)
	if puts[0].Locked {
		t.Errorf("%s called Runqput with s.Lock held; the queue of a P needs no lock, and with it all Ps wait for each other", who)
	}
}

// ready checks the wake-up of a G.
func ready(t *check.T) {
	for _, next := range []bool{false, true} {
		w := newWorld(t, 2)
		gp := w.newG(gmp.Gwaiting)
		w.s.Ready(w.m0, gp, next)
		w.localPut("Ready", gp, next)
		w.wantWakep("Ready", gp)
	}
	for _, st := range []uint32{gmp.Grunnable, gmp.Grunning, gmp.Gdead} {
		w := newWorld(t, 1)
		gp := w.newG(st)
		msg := t.Throws(func() { w.s.Ready(w.m0, gp, false) })
		check.Want(t, "what Ready(G1) throws when G1 is "+gmp.StatusName(st), msg, "bad g->status in ready")
	}
}

// newproc checks the go statement.
func newproc(t *check.T) {
	w := newWorld(t, 2)
	caller := w.runs()
	w.s.Newproc(w.m0, 64)
	gp := w.made[64]
	if gp == nil {
		t.Fatalf("Newproc(fn 64) did not make a G for it by Newproc1")
	}
	check.Want(t, "the caller that Newproc told Newproc1", check.Name(w.Of("Newproc1")[0].G), "G1")
	w.localPut("Newproc", gp, true)
	w.wantWakep("Newproc", gp)
	check.Want(t, "after Newproc, called by G1, M0.Curg", check.Name(w.m0.Curg.Get()), check.Name(caller))
	if w.at("Schedule") >= 0 {
		t.Errorf("Newproc called Schedule: the go statement only makes a G, and its caller goes on")
	}

	w = newWorld(t, 2)
	w.s.Newproc(w.m0, 64)
	w.localPut("Newproc", w.made[64], true)
	if w.at("Wakep") >= 0 {
		t.Errorf("Newproc made G1, the main goroutine, and called Wakep; M0 itself is about to run it, and there is no other G")
	}

	// As soon as it is queued, the new G may run on another M, end, and be made anew.
	w = newWorld(t, 2)
	w.runs()
	w.atPut = func(gp *gmp.G) { gp.Goid.Set(1) }
	w.s.Newproc(w.m0, 64)
	if w.at("Wakep") < 0 {
		t.Errorf("Newproc looked at the number of the new G after it was queued, when it may belong to somebody else, and took it for the main goroutine")
	}
}

// yield checks GoschedImpl.
func yield(t *check.T) {
	for _, preempted := range []bool{false, true} {
		w := newWorld(t, 2)
		gs := w.onGlobal(2)
		mine := w.onP0(1, false)
		gp := w.runs()
		w.s.GoschedImpl(w.m0, gp, preempted)
		if !queuedOnce(w, gp) {
			continue
		}
		put := w.globalPuts()[0]
		if !put.Locked {
			t.Errorf("GoschedImpl put G4 on the global queue without s.Lock")
		}
		check.Want(t, "when G4 is queued its state", gmp.StatusName(put.Status), "runnable")
		if !put.Free {
			t.Errorf("when G4 is queued M0 and G4 still point at each other; another M may run G4 as soon as the lock is free")
		}
		check.Want(t, "after GoschedImpl(G4) the global queue", check.Names(queued(w.s)), check.Names(append(gs, gp)))
		check.Want(t, "after GoschedImpl(G4) the ring of P0", check.Names(ring(w.p0)), check.Names(mine))
		w.wantWakep("GoschedImpl", gp)
		if wake := w.Of("Wakep")[0]; wake.Queued != 3 {
			t.Errorf("GoschedImpl called Wakep before G4 was on the global queue")
		}
		if n := len(w.Of("Schedule")); n != 1 || w.at("Schedule") < w.at("Wakep") {
			t.Errorf("GoschedImpl called Schedule %d times; want once, at its end: M0 takes the next G", n)
		}
	}
}

// queuedOnce reports whether GoschedImpl has put gp on the global queue, and there only.
func queuedOnce(w *world, gp *gmp.G) bool {
	w.t.Helper()
	puts := w.globalPuts()
	switch {
	case len(w.Of("Runqput")) > 0:
		w.t.Errorf("GoschedImpl put %s on the queue of P0; it belongs at the tail of the global one, so that others come before it", check.Name(gp))
	case len(puts) != 1 || puts[0].G != gp:
		w.t.Errorf("GoschedImpl put %d Gs on the global queue; want %s alone", len(puts), check.Name(gp))
	default:
		return true
	}
	return false
}
