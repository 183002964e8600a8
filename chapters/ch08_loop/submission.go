package ch08

import (
	"gosched/chapters/check"
	"gosched/chapters/gmp"
	"gosched/chapters/machine"
)

// wantWakep checks that after gp was queued somebody was told, without the lock.
func (w *world) wantWakep(who string, gp *gmp.G) {
	t := w.t
	t.Helper()
	check.WantUnlocked(w.t, w.s, who)
	wakes := w.Of("Wakep")
	if len(wakes) == 0 {
		t.Fatalf("%s%s queued %s and did not call Wakep, which checks whether a P is idle, or soon will be, so that an M must come", w.what, who, check.Name(gp))
	}
	for _, wake := range wakes {
		if wake.Locked {
			t.Errorf("%s called Wakep with s.Lock held; Wakep takes it itself", who)
		}
	}
	if w.waiting == 0 && wakes[len(wakes)-1].Queued == 0 {
		t.Errorf("%s called Wakep before %s was on a queue: an M that comes then finds nothing, and goes to sleep again", who, check.Name(gp))
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
	check.Want(t, who+" puts "+check.Name(gp)+" on P0; the argument next that it passes to Runqput", check.Arg[bool](puts[0].Call), next)
	if puts[0].Locked {
		t.Errorf("%s called Runqput with s.Lock held; the queue of a P needs no lock, and with it all Ps wait for each other", who)
	}
}

// ready checks the wake-up of a G.
func ready(t *check.T) {
	for _, procs := range []int32{1, 2} {
		for _, next := range []bool{false, true} {
			w := newWorld(t, procs)
			w.what = idle(procs)
			gp := w.newG(gmp.Gwaiting)
			w.s.Ready(w.m0, gp, next)
			w.localPut("Ready", gp, next)
			w.wantWakep("Ready", gp)
		}
	}
	for st := gmp.Gidle; st <= gmp.Gpreempted; st++ {
		if st == gmp.Gwaiting {
			continue
		}
		w := newWorld(t, 1)
		gp := w.newG(gmp.Gwaiting)
		gp.Atomicstatus.Store(st)
		msg := t.Throws(func() { w.s.Ready(w.m0, gp, false) })
		check.Want(t, "what Ready(G1) throws when G1 is "+gmp.StatusName(st), msg, "bad g->status in ready")
	}
}

// newproc checks the go statement.
func newproc(t *check.T) {
	w := newWorld(t, 2)
	w.s.Newproc(w.m0, mainFn)
	w.wantMade(mainFn, nil, 0)
	w.localPut("Newproc", w.made[mainFn], true)
	if w.at("Wakep") >= 0 {
		t.Errorf("Newproc made G1, the main goroutine, and called Wakep; M0 itself is about to run it, and there is no other G")
	}

	for _, procs := range []int32{1, 2} {
		w = newWorld(t, procs)
		w.what = idle(procs)
		caller := w.boots()
		caller.Sched.PC = 4711
		w.s.Newproc(w.m0, someFn)
		w.wantMade(someFn, caller, 4711)
		w.localPut("Newproc", w.made[someFn], true)
		w.wantWakep("Newproc", w.made[someFn])
		check.Want(t, "after Newproc, called by G1, M0.Curg", check.Name(w.m0.Curg.Get()), check.Name(caller))
		if w.at("Schedule") >= 0 {
			t.Errorf("Newproc called Schedule: the go statement only makes a G, and its caller goes on")
		}
	}

	// Two timers fire, one after the other, on an M that runs no G.
	w = newWorld(t, 2)
	w.boots()
	w.s.Dropg(w.m0)
	for _, fn := range []machine.Addr{someFn, someFn + 8} {
		w.what = "a timer of AfterFunc fires, so no G is the caller: "
		w.Calls = nil
		w.s.Newproc(w.m0, fn)
		w.wantMade(fn, nil, 0)
		w.localPut("Newproc", w.made[fn], true)
		w.wantWakep("Newproc", w.made[fn])
	}

	// As soon as it is queued, the new G may run on another M, end, and be made anew.
	w = newWorld(t, 2)
	w.boots()
	w.atPut = func(gp *gmp.G) { gp.Goid.Set(1) }
	w.s.Newproc(w.m0, someFn)
	if w.at("Wakep") < 0 {
		t.Errorf("Newproc looked at the number of the new G after it was queued, when it may belong to another M, and took it for the main goroutine")
	}
}

// idle says how things are with so many Ps, of which M0 has one.
func idle(procs int32) string {
	if procs == 1 {
		return "no P is idle at the moment: "
	}
	return "P1 is idle: "
}

// wantMade checks that Newproc had a G made for fn, and what it told of its caller.
func (w *world) wantMade(fn machine.Addr, caller *gmp.G, pc machine.PC) {
	w.t.Helper()
	if w.made[fn] == nil {
		w.t.Fatalf("%sNewproc(fn %d) did not make a G for it by Newproc1", w.what, fn)
	}
	call := w.Of("Newproc1")[0]
	check.Want(w.t, w.what+"the caller that Newproc told Newproc1", check.Name(check.Arg[*gmp.G](call.Call)), check.Name(caller))
	check.Want(w.t, w.what+"the pc of that caller, which a traceback shows later as the place of the go statement; what Newproc told Newproc1", check.Arg[machine.PC](call.Call), pc)
}

// yield checks GoschedImpl.
func yield(t *check.T) {
	for _, procs := range []int32{1, 2} {
		preempted := procs == 2
		w := newWorld(t, procs)
		w.what = idle(procs)
		gs := w.onGlobal(2)
		mine := w.onP0(1, false)
		gp := w.runs()
		w.s.GoschedImpl(w.m0, gp, preempted)
		w.WantLinkedUntil(t, "GoschedImpl", gp)
		if t.Failed() || !queuedOnce(w, gp) {
			return
		}
		put := w.globalPuts()[0]
		if !put.Locked {
			t.Errorf("GoschedImpl put G4 on the global queue without s.Lock")
		}
		check.Want(t, "when G4 is queued its state", gmp.StatusName(put.Status), "runnable")
		if !put.Free {
			t.Errorf("when G4 is queued M0 and G4 still point to each other; another M may run G4 as soon as the lock is free")
		}
		check.Want(t, "after GoschedImpl(G4) the global queue", check.Names(queued(w.s)), check.Names(append(gs, gp)))
		check.Want(t, "after GoschedImpl(G4) the ring of P0", check.Names(ring(w.p0)), check.Names(mine))
		w.wantWakep("GoschedImpl", gp)
		if wakes := w.Of("Wakep"); wakes[len(wakes)-1].Queued != 3 {
			t.Errorf("GoschedImpl called Wakep before G4 was on the global queue")
		}
		if n := len(w.Of("Schedule")); n != 1 || w.at("Schedule") < w.last("Wakep") {
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
