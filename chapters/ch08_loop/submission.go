package ch08

import (
	"gosched/chapters/check"
	"gosched/chapters/gmp"
)

// woken checks that after gp was queued somebody was told, once, without the lock.
func (w *world) woken(who string, gp *gmp.G) {
	t := w.t
	t.Helper()
	check.WantUnlocked(w.t, w.s, who)
	wakes := w.of("Wakep")
	if len(wakes) != 1 {
		t.Fatalf("%s called Wakep %d times; want once: if a P is idle, somebody must come with it", who, len(wakes))
	}
	if wakes[0].locked {
		t.Errorf("%s called Wakep with s.Lock held; Wakep takes it itself", who)
	}
	if wakes[0].local == 0 && len(wakes[0].global) == 0 {
		t.Errorf("%s called Wakep before %s was on a queue: who comes then finds nothing, and goes to sleep again", who, check.Name(gp))
	}
}

// localPut checks that gp was put on the queue of P0, once.
func (w *world) localPut(who string, gp *gmp.G, next bool) {
	t := w.t
	t.Helper()
	puts := w.of("Runqput")
	if len(puts) != 1 || puts[0].gp != gp {
		t.Fatalf("%s called Runqput %d times; want once, for %s: it goes on the queue of M0's P", who, len(puts), check.Name(gp))
	}
	check.Want(t, "when "+who+" calls Runqput the state of "+check.Name(gp), gmp.StatusName(puts[0].status), "runnable")
	check.Want(t, who+" puts "+check.Name(gp)+" on P0; what it tells Runqput of next", puts[0].flag, next)
	if puts[0].locked {
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
		w.woken("Ready", gp)
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
	if w.made == nil {
		t.Fatalf("Newproc did not make a G by Newproc1")
	}
	check.Want(t, "the caller that Newproc told Newproc1", check.Name(w.of("Newproc1")[0].gp), "G1")
	w.localPut("Newproc", w.made, true)
	w.woken("Newproc", w.made)
	check.Want(t, "after Newproc, called by G1, M0.Curg", check.Name(w.m0.Curg), check.Name(caller))
	if w.at("Schedule") >= 0 {
		t.Errorf("Newproc called Schedule: the go statement only makes a G, and its caller goes on")
	}

	w = newWorld(t, 2)
	w.s.Newproc(w.m0, 64)
	w.localPut("Newproc", w.made, true)
	if w.at("Wakep") >= 0 {
		t.Errorf("Newproc made G1, the main goroutine, and called Wakep; M0 itself is about to run it, and there is no other G")
	}

	// As soon as it is queued, the new G may run on another M, end, and be made anew.
	w = newWorld(t, 2)
	w.runs()
	w.onPut = func(gp *gmp.G) { gp.Goid = 1 }
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
		put := w.of("global put")[0]
		if !put.locked {
			t.Errorf("GoschedImpl put G4 on the global queue without s.Lock")
		}
		check.Want(t, "when G4 is queued its state", gmp.StatusName(put.status), "runnable")
		if !put.free {
			t.Errorf("when G4 is queued M0 and G4 still point at each other; another M may run G4 as soon as the lock is free")
		}
		check.Want(t, "after GoschedImpl(G4) the global queue", check.Names(queued(w.s)), check.Names(append(gs, gp)))
		check.Want(t, "after GoschedImpl(G4) the ring of P0", check.Names(ring(w.p0)), check.Names(mine))
		w.woken("GoschedImpl", gp)
		if wake := w.of("Wakep")[0]; len(wake.global) != 3 {
			t.Errorf("GoschedImpl called Wakep before G4 was on the global queue")
		}
		if n := len(w.of("Schedule")); n != 1 || w.at("Schedule") < w.at("Wakep") {
			t.Errorf("GoschedImpl called Schedule %d times; want once, at its end: M0 takes the next G", n)
		}
	}
}

// queuedOnce reports whether GoschedImpl has put gp on the global queue, and there only.
func queuedOnce(w *world, gp *gmp.G) bool {
	w.t.Helper()
	puts := w.of("global put")
	switch {
	case len(w.of("Runqput")) > 0:
		w.t.Errorf("GoschedImpl put %s on the queue of P0; it belongs at the tail of the global one, so that others come before it", check.Name(gp))
	case len(puts) != 1 || puts[0].gp != gp:
		w.t.Errorf("GoschedImpl put %d Gs on the global queue; want %s alone", len(puts), check.Name(gp))
	default:
		return true
	}
	return false
}
