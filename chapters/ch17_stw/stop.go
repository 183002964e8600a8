package ch17

import (
	"fmt"

	"gosched/chapters/check"
	"gosched/chapters/gmp"
)

// sema checks who may stop the world.
func sema(t *check.T) {
	w := newWorld(t, 2)
	w.skips("StopTheWorldWithSema")
	has, then := false, 0
	w.on("StopTheWorldWithSema", func(*check.Call) { has = w.s.Worldsema.Load() })
	w.s.StopTheWorld(w.m0, w.g1, "test", func(s *gmp.Sched, mp *gmp.M, gp *gmp.G) {
		then++
		check.Want(t, "the M that then is given", check.MName(mp), "M0")
		check.Want(t, "the G that then is given", check.Name(gp), "G1")
		check.Want(t, "how often the world was stopped (StopTheWorldWithSema) before then is called", len(w.Of("StopTheWorldWithSema")), 1)
	})
	check.Want(t, "Worldsema is free; how often StopTheWorld(M0, G1) calls then", then, 1)
	check.Want(t, "when the world is stopped, Worldsema", has, true)
	check.Want(t, "the reason that StopTheWorldWithSema is given", check.Arg[string](w.Of("StopTheWorldWithSema")[0].Call), "test")
	check.Must(t, !check.Held(&w.s.Worldlock), "Worldlock must not be held after StopTheWorld")

	// Another G has it.
	w = newWorld(t, 2)
	w.skips("StopTheWorldWithSema")
	w.s.Worldsema.Store(true)
	first := check.NewG(w.s, gmp.Gwaiting)
	w.s.Worldqueue.PushBack(first)
	var lock any
	var unlockf func(gp *gmp.G, lock any) bool
	w.on("Gopark", func(c *check.Call) {
		unlockf, lock = check.Arg[func(gp *gmp.G, lock any) bool](c.Call), c.Args[3]
		check.Must(t, check.Held(&w.s.Worldlock), "when G1 parks, Worldlock must be held: until G1 waits nobody may find it on the queue")
		check.Want(t, "why G1 waits", check.Arg[gmp.WaitReason](c.Call), gmp.WaitReasonSemacquire)
		check.Must(t, w.g1.Cont.Get() != nil, "when G1 parks, G1.Cont must be set")
	})
	then = 0
	w.s.StopTheWorld(w.m0, w.g1, "test", func(s *gmp.Sched, mp *gmp.M, gp *gmp.G) { then += int(mp.ID) + 1 })
	check.Want(t, "another G has Worldsema; how often StopTheWorld(M0, G1) parks G1", len(w.Of("Gopark")), 1)
	check.Want(t, "how often it stops the world", len(w.Of("StopTheWorldWithSema")), 0)
	if t.Failed() {
		return
	}
	if unlockf == nil || !unlockf(w.g1, lock) || check.Held(&w.s.Worldlock) {
		t.Fatalf("the unlockf that G1 parks with must release Worldlock, and return true: it waits")
	}
	q := w.s.Worldqueue.Get()
	check.Want(t, "the last G of Worldqueue when G1 waits", check.Name(q.Tail), "G1")
	check.Want(t, "the first one, which was there before,", check.Name(q.Head), check.Name(first))
	// It is handed over.
	m1 := w.runs(1)
	w.g1.Cont.Get()(w.s, m1, w.g1)
	check.Want(t, "G1 has Worldsema, and goes on on M1, with G1.Cont; how often the world is stopped", len(w.Of("StopTheWorldWithSema")), 1)
	check.Want(t, "the M in whose name that is done", check.MName(check.Arg[*gmp.M](w.Of("StopTheWorldWithSema")[0].Call)), "M1")
	check.Must(t, then == 2, "after that, then must be called with M1")
}

// handover checks what becomes of Worldsema.
func handover(t *check.T) {
	w := newWorld(t, 2)
	w.skips("StartTheWorldWithSema")
	w.s.Worldsema.Store(true)
	w.on("StartTheWorldWithSema", func(*check.Call) {
		check.Want(t, "while the world is still stopped, Worldsema", w.s.Worldsema.Load(), true)
		check.Must(t, !check.Held(&w.s.Worldlock), "while the world is started, Worldlock must not be held")
	})
	w.s.StartTheWorld(w.m0)
	check.Want(t, "nobody waits; after StartTheWorld(M0) Worldsema", w.s.Worldsema.Load(), false)
	check.Want(t, "how often the world is started", len(w.Of("StartTheWorldWithSema")), 1)
	check.Want(t, "how many Gs are made ready", len(w.Of("Goready")), 0)

	w = newWorld(t, 2)
	w.skips("StartTheWorldWithSema")
	w.s.Worldsema.Store(true)
	first, second := check.NewG(w.s, gmp.Gwaiting), check.NewG(w.s, gmp.Gwaiting)
	w.s.Worldqueue.PushBack(first)
	w.s.Worldqueue.PushBack(second)
	w.on("Goready", func(*check.Call) {
		check.Want(t, "when a G is made ready that waited for Worldsema, Worldsema, which is handed over", w.s.Worldsema.Load(), true)
		check.Must(t, !check.Held(&w.s.Worldlock), "when a G is made ready that waited for Worldsema, Worldlock must not be held")
	})
	w.s.StartTheWorld(w.m0)
	check.Want(t, "G2 and G3 wait; what StartTheWorld(M0) does", w.order("StartTheWorldWithSema", "Goready"), "StartTheWorldWithSema, Goready")
	if t.Failed() {
		return
	}
	check.Want(t, "the G that is made ready", check.Name(w.Of("Goready")[0].G), check.Name(first))
	check.Want(t, "the first G of Worldqueue after that", check.Name(w.s.Worldqueue.Get().Head), check.Name(second))
	check.Must(t, !check.Held(&w.s.Worldlock), "Worldlock must not be held after StartTheWorld")
}

// stop checks which Ps are stopped at once, and what the others are told.
func stop(t *check.T) {
	for _, g := range []bool{true, false} {
		w := newWorld(t, 5)
		if !g {
			w.s.Dropg(w.m0)
			w.g1.Atomicstatus.Store(gmp.Gwaiting)
		}
		w.idle(2)
		w.idle(3)
		call := w.inCall(4)
		w.runs(1)
		var pace rhythm
		w.on("Preemptall", func(c *check.Call) {
			check.Want(t, "when all are asked to stop, Gcwaiting", w.s.Gcwaiting.Load(), true)
			if g {
				check.Want(t, "when all are asked to stop, the state of G1, which M0 runs,", check.State(w.g1), gmp.StatusName(gmp.Gwaiting))
				check.Want(t, "and why it waits", w.g1.Waitreason.Get(), gmp.WaitReasonStoppingTheWorld)
			}
			if len(w.Of("Preemptall")) == 1 {
				check.Must(t, c.Locked, "when all are asked to stop for the first time, s.Lock must be held")
				check.Must(t, w.s.Stopwait.Get() > 0, fmt.Sprintf("when all are asked to stop for the first time, Stopwait must already count the five Ps; it is %d", w.s.Stopwait.Get()))
				return
			}
			check.Want(t, "P1 runs, and P2, P3 and P4 are idle or in a call; while M0 waits, Stopwait", w.s.Stopwait.Get(), 1)
			pace.beat(w)
			switch len(w.Of("Preemptall")) {
			case 3:
				w.stops(c, 1)
			case 4:
				t.Fatalf("P1 has stopped, and was the last one; StopTheWorldWithSema(M0) waits on, and Stopwait is %d", w.s.Stopwait.Get())
			}
		})
		w.timed("P1 runs, and has not heard that it is to stop", func() { w.s.StopTheWorldWithSema(w.m0, "test") })
		check.Want(t, "how often all Ps are asked to stop, since P1 has not heard the first two times", len(w.Of("Preemptall")), 3)
		check.Want(t, "after StopTheWorldWithSema(M0) Stopwait", w.s.Stopwait.Get(), 0)
		check.Want(t, "after it Gcwaiting", w.s.Gcwaiting.Load(), true)
		check.Want(t, "after it the number of idle Ps", w.s.Npidle.Load(), 0)
		check.Want(t, "after it P0.M", check.MName(w.p(0).M.Get()), "M0")
		check.Want(t, "after it M0.P", check.PName(w.m0.P.Get()), "P0")
		check.Want(t, "after it the Syscalltick of P4, which was in a call,", call.Syscalltick.Get(), 1)
		check.Must(t, !signalled(&w.s.Stopnote), "after it, Stopnote must not be signalled: the next stop would not wait")
		for _, pp := range w.s.Allp.Get() {
			check.Want(t, "after it the state of "+check.PName(pp), check.PState(pp), "gcstop")
		}
		if g {
			check.Want(t, "after it the state of G1, which is the only one that runs,", check.State(w.g1), gmp.StatusName(gmp.Grunning))
		} else {
			check.Want(t, "after it the state of G1, which M0 does not run,", check.State(w.g1), gmp.StatusName(gmp.Gwaiting))
		}
		check.WantUnlocked(t, w.s, "StopTheWorldWithSema")
	}
	// Nobody is to be waited for.
	w := newWorld(t, 2)
	w.idle(1)
	w.timed("P1 is idle", func() { w.s.StopTheWorldWithSema(w.m0, "test") })
	check.Want(t, "P1 is idle; after StopTheWorldWithSema(M0) the state of P1", check.PState(w.p(1)), "gcstop")
	check.Want(t, "P1 is idle; how often all Ps are asked to stop", len(w.Of("Preemptall")), 1)
}

// stopLess checks that versions that lack parts can be stopped.
func stopLess(t *check.T) {
	v := t.Version()
	v.Syscalls, v.Monitor = nil, nil
	w := newWorldOf(t, v, 2)
	w.idle(1)
	w.s.StopTheWorldWithSema(w.m0, "test")
	check.Want(t, "in a version without Monitor, how often all Ps are asked to stop (Preemptall)", len(w.Of("Preemptall")), 0)
	check.Want(t, "in a version without Syscalls and Monitor, after StopTheWorldWithSema(M0) the state of P1", check.PState(w.p(1)), "gcstop")
}

// sure checks that the world is not taken for stopped if it is not.
func sure(t *check.T) {
	w := newWorld(t, 2)
	w.runs(1)
	w.on("Preemptall", func(*check.Call) {
		if len(w.Of("Preemptall")) == 2 {
			w.p(1).Status.Store(gmp.Pgcstop) // but nobody has counted it
			w.s.Stopnote.Wakeup()
		}
	})
	check.WantThrow(t, "Stopnote is signalled, P1 is stopped, and was not counted; StopTheWorldWithSema(M0)",
		w.throws("P1 runs", func() { w.s.StopTheWorldWithSema(w.m0, "test") }), check.Thrown("stopTheWorld: not stopped (stopwait != 0)"))
	w = newWorld(t, 2)
	w.runs(1)
	w.on("Preemptall", func(c *check.Call) {
		if len(w.Of("Preemptall")) == 2 {
			w.stops(c, 1)
			w.p(1).Status.Store(gmp.Prunning)
		}
	})
	check.WantThrow(t, "P1 was counted, and runs; StopTheWorldWithSema(M0)",
		w.throws("P1 runs", func() { w.s.StopTheWorldWithSema(w.m0, "test") }), check.Thrown("stopTheWorld: not stopped (status != _Pgcstop)"))
}

// gcstopm checks how an M stops its P.
func gcstopm(t *check.T) {
	for _, spins := range []bool{false, true} {
		w := newWorld(t, 3)
		w.s.Dropg(w.m0)
		w.m0.Spinning.Set(spins)
		w.s.Nmspinning.Store(2)
		w.s.Gcwaiting.Store(true)
		w.s.Stopwait.Set(2)
		w.on("Stopm", func(*check.Call) {
			check.Want(t, "when M0 goes to sleep, the state of P0", check.PState(w.p(0)), "gcstop")
			check.Want(t, "when M0 goes to sleep, M0.P", check.PName(w.m0.P.Get()), "nil")
			check.Want(t, "when M0 goes to sleep, P0.M", check.MName(w.p(0).M.Get()), "nil")
			check.Want(t, "when M0 goes to sleep, M0.Spinning", w.m0.Spinning.Get(), false)
		})
		w.s.Gcstopm(w.m0)
		left := int32(2)
		if spins {
			left = 1
		}
		check.Want(t, "after Gcstopm(M0) Nmspinning, which was 2,", w.s.Nmspinning.Load(), left)
		check.Want(t, "after Gcstopm(M0) Stopwait, which was 2,", w.s.Stopwait.Get(), 1)
		check.Must(t, !signalled(&w.s.Stopnote), "another P has not stopped; Gcstopm(M0) must not signal Stopnote")
		check.Want(t, "how often M0 sleeps (Stopm)", len(w.Of("Stopm")), 1)
		check.Want(t, "how many idle Ps there are after Gcstopm: a stopped P is on no list", w.s.Npidle.Load(), 0)
		check.WantUnlocked(t, w.s, "Gcstopm")

		m1 := w.runs(1)
		w.s.Gcstopm(m1)
		check.Want(t, "P1 is the last to stop; after Gcstopm(M1) Stopwait", w.s.Stopwait.Get(), 0)
		check.Must(t, signalled(&w.s.Stopnote), "P1 is the last to stop; Gcstopm(M1) must signal Stopnote")
	}
	w := newWorld(t, 1)
	w.s.Dropg(w.m0)
	check.WantThrow(t, "the world is not to stop; Gcstopm(M0)", check.Thrown(t.Throws(func() { w.s.Gcstopm(w.m0) })), check.Thrown("gcstopm: not waiting for gc"))
	w.s.Gcwaiting.Store(true)
	w.m0.Spinning.Set(true)
	check.WantThrow(t, "M0 spins, and Nmspinning is 0; Gcstopm(M0)", check.Thrown(t.Throws(func() { w.s.Gcstopm(w.m0) })), check.Thrown("gcstopm: negative nmspinning"))
}

// visible checks that the models see all shared state.
func visible(t *check.T) {
	w := newWorld(t, 1)
	w.s.StopTheWorldWithSema(w.m0, "test")
	t.Visible()
}
