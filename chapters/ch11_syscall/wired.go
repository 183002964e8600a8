package ch11

import (
	"fmt"

	"gosched/chapters/check"
	"gosched/chapters/gmp"
)

// This file has the checks of how a P is left behind in Go 1.26, which are those of chapter 18:
// it stays linked to its M, and is taken by whoever holds the scan bit of the G. What the two
// forms share is checked with the checks of this chapter.

// WiredEnter checks how an M goes into a call.
func WiredEnter(t *check.T) {
	w := newWorld(t, 2)
	ran := 0
	w.s.SafePointFn.Set(func(*gmp.P) { ran++ })
	w.s.SafePointWait.Set(2)
	w.p0.RunSafePointFn.Store(1)
	w.on("RunSafePointFn", func(c *check.Call) {
		check.Want(t, "when Entersyscall calls RunSafePointFn, the state of G1: afterwards P0 is not M0's any more", check.State(w.g1), "running")
		check.Want(t, "Entersyscall calls RunSafePointFn without s.Lock; what it says about that (lockheld)", check.Arg[bool](c.Call), false)
	})
	w.on("Casgstatus", func(c *check.Call) {
		w.wantNoted("Entersyscall")
		const then = "when G1 becomes Gsyscall, from when on M0 may not touch P0, "
		check.Want(t, then+"M0.Oldp", check.PName(w.m0.Oldp.Get()), "P0")
		check.Want(t, then+"M0.Syscalltick, which was P0's,", w.m0.Syscalltick.Get(), 7)
		w.p0.Syscalltick.Set(8) // another M has it, and gives it back
		w.s.Sysmonwait.Store(true)
	})
	w.calls.Entersyscall(w.m0, w.g1)
	check.WantUnlocked(t, w.s, "Entersyscall")
	const after = "after Entersyscall(M0, G1) "
	check.Want(t, "P0.RunSafePointFn is 1; how often Entersyscall lets the function be called", ran, 1)
	check.Must(t, signalled(&w.s.Sysmonnote), "the monitor falls asleep just before G1 is Gsyscall; after Entersyscall, s.Sysmonnote must be signalled")
	check.Want(t, after+"the state of G1", check.State(w.g1), "syscall")
	check.Want(t, after+"M0.Syscalltick", w.m0.Syscalltick.Get(), 7)
	check.Want(t, after+"M0.Curg", check.Name(w.m0.Curg.Get()), "G1")
	check.Want(t, after+"G1.M", check.MName(w.g1.M.Get()), "M0")
	check.Want(t, after+"M0.P", check.PName(w.m0.P.Get()), "P0")
	check.Want(t, after+"P0.M", check.MName(w.p0.M.Get()), "M0")
	check.Want(t, after+"the state of P0", check.PState(w.p0), "running")
	if n := len(w.Of("Handoffp", "Startm", "Wakep", "Pidleput")); n > 0 {
		t.Errorf("Entersyscall gives P0 to another M, or tells others of it; most calls are over sooner than that, and whether this one lasts is for the monitor to see")
	}

	w = newWorld(t, 2)
	w.calls.Entersyscall(w.m0, w.g1)
	check.Want(t, "P0.RunSafePointFn is 0; how often Entersyscall calls RunSafePointFn", len(w.Of("RunSafePointFn")), 0)
}

// WiredEnterStop checks the M that enters a call while the world is to stop.
func WiredEnterStop(t *check.T) {
	for _, c := range []struct {
		wait        int32
		state, held string
		left        int32
		tick        uint32
		woken       bool
	}{
		{2, "gcstop", "nil", 1, 8, false},
		{1, "gcstop", "nil", 0, 8, true},
		{0, "running", "P0", 0, 7, false},
	} {
		w := newWorld(t, 3)
		w.s.Gcwaiting.Store(true)
		w.s.Stopwait.Set(c.wait)
		what := fmt.Sprintf("the world is to stop, and s.Stopwait is %d; ", c.wait)
		w.on("Casgstatus", func(*check.Call) {
			check.Want(t, what+"when G1 becomes Gsyscall, the state of P0, which M0 may not touch any more,", check.PState(w.p0), c.state)
		})
		what += "after Entersyscall(M0, G1) "
		w.calls.Entersyscall(w.m0, w.g1)
		check.WantUnlocked(t, w.s, "Entersyscall")
		check.Want(t, what+"the state of P0", check.PState(w.p0), c.state)
		check.Want(t, what+"M0.P", check.PName(w.m0.P.Get()), c.held)
		if c.held == "nil" {
			check.Want(t, what+"P0.M", check.MName(w.p0.M.Get()), "nil")
		}
		check.Want(t, what+"s.Stopwait", w.s.Stopwait.Get(), c.left)
		check.Want(t, what+"P0.Syscalltick", w.p0.Syscalltick.Get(), c.tick)
		check.Want(t, what+"M0.Syscalltick", w.m0.Syscalltick.Get(), 7)
		check.Must(t, signalled(&w.s.Stopnote) == c.woken, what+"s.Stopnote "+check.MustIf(c.woken)+" be signalled")
		check.Want(t, what+"the state of G1", check.State(w.g1), "syscall")
	}
}

// WiredBlock checks a call that is known to block.
func WiredBlock(t *check.T) {
	block(t)
	w := newWorld(t, 2)
	w.on("Handoffp", func(*check.Call) {
		check.Want(t, "when Entersyscallblock calls Handoffp, the state of G1: as soon as it is syscall, others look for its P,", check.State(w.g1), "running")
	})
	w.calls.Entersyscallblock(w.m0, w.g1)
}

// WiredExitOwn checks the return to a P that no M has taken.
func WiredExitOwn(t *check.T) {
	for _, asked := range []bool{false, true} {
		w := newWorld(t, 2)
		w.inCall()
		w.g1.Preempt.Set(asked)
		w.on("Casgstatus", func(*check.Call) {
			check.Want(t, "when Exitsyscall makes G1 Grunning, before which P0 may be taken, P0.Syscalltick", w.p0.Syscalltick.Get(), 7)
		})
		w.calls.Exitsyscall(w.m0, w.g1)
		check.WantUnlocked(t, w.s, "Exitsyscall")
		const after = "no M has taken P0; after Exitsyscall(M0, G1) "
		check.Want(t, after+"M0.P", check.PName(w.m0.P.Get()), "P0")
		check.Want(t, after+"P0.M", check.MName(w.p0.M.Get()), "M0")
		check.Want(t, after+"the state of P0", check.PState(w.p0), "running")
		check.Want(t, after+"P0.Syscalltick", w.p0.Syscalltick.Get(), 8)
		check.Want(t, after+"M0.Oldp", check.PName(w.m0.Oldp.Get()), "nil")
		check.Want(t, after+"M0.Curg", check.Name(w.m0.Curg.Get()), "G1")
		check.Want(t, after+"the state of G1", check.State(w.g1), "running")
		check.Want(t, after+"G1.SyscallSP", w.g1.SyscallSP.Get(), 0)
		if n := len(w.Of("Schedule", "Globrunqput", "Execute", "Stopm", "ExitsyscallFast", "Acquirep", "Wirep")); n > 0 {
			t.Errorf("no M has taken P0, and Exitsyscall does not just go on with G1: it looks for a P, or calls the scheduler")
		}
		w.wantGuard(asked)
	}
	w := newWorld(t, 2)
	n := w.Acquisitions(t, func() {
		w.calls.Entersyscall(w.m0, w.g1)
		w.calls.Exitsyscall(w.m0, w.g1)
	})
	check.WantTimes(t, "in a call that no other M disturbs, Entersyscall and Exitsyscall together take s.Lock", int(n), 0)
}

// WiredExitOther checks the return of an M that has lost its P.
func WiredExitOther(t *check.T) {
	for _, c := range []struct {
		what   string
		happen func(w *world)
	}{
		{"another M runs with P0", func(w *world) { w.other(gmp.Grunning) }},
		{"P0 is in the hands of the monitor", func(w *world) { w.lost(gmp.Pidle) }},
		{"P0 was stopped, for a world that is to stop,", func(w *world) { w.lost(gmp.Pgcstop) }},
		{"M1, which has P0, is in a call, and another M holds the scan bit of its G", func(w *world) { w.other(gmp.Gsyscall | gmp.Gscan) }},
		{"M0 has handed off its P, so Oldp is nil, and M1, which has P0, is in a call", func(w *world) { w.other(gmp.Gsyscall); w.m0.Oldp.Set(nil) }},
	} {
		w := newWorld(t, 3)
		w.inCall()
		c.happen(w)
		state := w.p0.Status.Load()
		p1 := w.idle(1)
		w.s.Idlepmask.Get().Set(1)
		w.calls.Exitsyscall(w.m0, w.g1)
		check.WantUnlocked(t, w.s, "Exitsyscall")
		what := c.what + " and P1 is idle; after Exitsyscall(M0, G1) "
		check.Want(t, what+"M0.P", check.PName(w.m0.P.Get()), "P1")
		check.Want(t, what+"P1.M", check.MName(p1.M.Get()), "M0")
		check.Want(t, what+"P1.Syscalltick", p1.Syscalltick.Get(), 1)
		check.Want(t, what+"the number of idle Ps, s.Npidle,", w.s.Npidle.Load(), 0)
		check.Want(t, what+"the state of G1", check.State(w.g1), "running")
		check.Must(t, w.p0.Status.Load() == state, what+"P0 must be left as it was")
		check.Want(t, what+"P0.Syscalltick", w.p0.Syscalltick.Get(), 7)

		w = newWorld(t, 3)
		w.inCall()
		c.happen(w)
		w.g1.Atomicstatus.Store(gmp.Grunning)
		fast := false
		n := w.Acquisitions(t, func() { fast = w.calls.ExitsyscallFast(w.m0, w.m0.Oldp.Get()) })
		what = c.what + " and no P is idle; "
		check.Want(t, what+"the result of ExitsyscallFast", fast, false)
		check.Want(t, what+"after ExitsyscallFast M0.P", check.PName(w.m0.P.Get()), "nil")
		check.WantTimes(t, what+"s.Npidle is 0, and ExitsyscallFast takes s.Lock", int(n), 0)
	}

	w := newWorld(t, 3)
	w.inCall()
	m1, g2 := w.other(gmp.Gsyscall)
	w.idle(1)
	w.s.Idlepmask.Get().Set(1)
	w.on("Acquirep", func(c *check.Call) {
		const then = "M1 is in a call with P0, which M0 had; when M0 takes P0 (Acquirep) "
		check.Want(t, then+"the state of P0", check.PState(w.p0), "idle")
		check.Want(t, then+"P0.M", check.MName(w.p0.M.Get()), "nil")
		check.Want(t, then+"M1.P", check.PName(m1.P.Get()), "nil")
		check.Want(t, then+"P0.Syscalltick, which says that M1's call has lost it,", w.p0.Syscalltick.Get(), 8)
		check.Want(t, then+"the state of G2, which may leave its call again,", check.State(g2), "syscall")
	})
	w.calls.Exitsyscall(w.m0, w.g1)
	const took = "M1 is in a call with P0, which M0 had; after Exitsyscall(M0, G1) "
	check.Want(t, took+"M0.P", check.PName(w.m0.P.Get()), "P0")
	check.Want(t, took+"P0.M", check.MName(w.p0.M.Get()), "M0")
	check.Want(t, took+"P0.Syscalltick, once for each of the two calls,", w.p0.Syscalltick.Get(), 9)
	check.Want(t, took+"the number of idle Ps, s.Npidle,", w.s.Npidle.Load(), 1)
	check.Want(t, took+"the state of G1", check.State(w.g1), "running")

	w = newWorld(t, 3)
	w.returned()
	check.Want(t, "no P is idle; the result of ExitsyscallPidle", w.calls.ExitsyscallPidle(w.m0), false)
	w.idle(2)
	w.s.Idlepmask.Get().Set(2)
	check.Want(t, "P2 is idle; the result of ExitsyscallPidle", w.calls.ExitsyscallPidle(w.m0), true)
	check.Want(t, "P2 is idle; after ExitsyscallPidle M0.P", check.PName(w.m0.P.Get()), "P2")
}

// other lets M1 have P0, and run a new G, G2, in this state; M0 has lost P0.
func (w *world) other(st uint32) (*gmp.M, *gmp.G) {
	m1, g2 := &gmp.M{ID: 1}, check.NewG(w.s, st)
	w.m0.P.Set(nil)
	check.Holding(m1, w.p0)
	check.Running(m1, g2)
	g2.Atomicstatus.Store(st)
	return m1, g2
}

// WiredHandoff checks what is new in Handoffp: the collector.
func WiredHandoff(t *check.T) {
	for _, run := range []func(t *check.T){handoffWork, handoffSpin, handoffStop, handoffLast} {
		run(t)
	}
	for _, c := range []struct{ marking, work bool }{{false, true}, {true, false}, {true, true}} {
		w := newWorld(t, 4)
		w.idle(2)
		w.s.Idlepmask.Get().Set(2)
		w.s.Nmspinning.Store(1)
		w.s.GcController.BlackenEnabled.Store(c.marking)
		w.s.Collector = toMark{w.s.Collector, c.work}
		what := fmt.Sprintf("another M spins, BlackenEnabled is %v, and GcMarkWorkAvailable returns %v", c.marking, c.work)
		w.handoff()
		if c.marking && c.work {
			w.wantStarted(what, false)
		} else {
			w.wantIdle(what)
		}
	}
}

// toMark says whether there is something to mark.
type toMark struct {
	gmp.Collector
	work bool
}

func (p toMark) GcMarkWorkAvailable() bool { return p.work }

// WiredRetake checks when a P is taken from a call, and how.
func WiredRetake(t *check.T) {
	w := newWorld(t, 2)
	w.inCall()
	w.local(w.p0)
	check.Want(t, "M0 is in a call, the queue of P0 is not empty, and the monitor looks for the first time; the result of RetakeSyscall", w.retaken(firstLook, false), false)
	check.Want(t, "after the first look the state of G1, which may leave its call,", check.State(w.g1), "syscall")
	check.Want(t, "after the first look M0.P", check.PName(w.m0.P.Get()), "P0")
	seen := w.p0.Sysmontick.Get()
	check.Want(t, "after the first look P0.Sysmontick.Syscalltick", seen.Syscalltick, 7)
	check.Want(t, "after the first look P0.Sysmontick.Syscallwhen", seen.Syscallwhen, firstLook)

	w.on("Incidlelocked", func(c *check.Call) {
		if w.g1.Atomicstatus.Load() != gmp.Gsyscall {
			t.Errorf("Incidlelocked, which takes s.Lock, is called while the scan bit of G1 is set: an M that holds s.Lock may wait for that bit")
		}
		if check.Arg[int32](c.Call) < 0 && w.p0.Status.Load() != gmp.Prunning {
			t.Errorf("P0 is taken before one is subtracted from s.Nmidlelocked (Incidlelocked(-1)): its M may come back in between, find no P, and go to sleep, and Checkdead finds no M awake")
		}
		if check.Arg[int32](c.Call) > 0 && w.p0.Status.Load() == gmp.Pidle && len(w.Of("Handoffp")) == 0 {
			t.Errorf("Incidlelocked(1) is called before P0 is handed off; as long as P0 is in the monitor's hands, no M may be awake, and Checkdead would report that")
		}
	})
	w.on("Handoffp", func(c *check.Call) {
		const then = "when RetakeSyscall calls Handoffp, "
		check.Want(t, then+"its P", check.PName(check.Arg[*gmp.P](c.Call)), "P0")
		check.Want(t, then+"the state of P0", check.PState(w.p0), "idle")
		check.Want(t, then+"P0.M", check.MName(w.p0.M.Get()), "nil")
		check.Want(t, then+"M0.P", check.PName(w.m0.P.Get()), "nil")
		check.Want(t, then+"P0.Syscalltick", w.p0.Syscalltick.Get(), 8)
		check.Want(t, then+"the state of G1, which may leave its call by now,", check.State(w.g1), "syscall")
		check.Want(t, then+"s.Nmidlelocked, in which one M is left out,", w.s.Nmidlelocked.Get(), -1)
	})
	check.Want(t, "it is still the same call, P0's queue is not empty, and the monitor looks again after 20 µs; the result of RetakeSyscall", w.retaken(secondLook, false), true)

	w = newWorld(t, 2)
	w.inCall()
	w.local(w.p0)
	w.retaken(firstLook, false)
	w.p0.Syscalltick.Set(8)
	check.Want(t, "it is another call than at the first look; the result of RetakeSyscall", w.retaken(secondLook, false), false)
	check.Want(t, "it is another call than at the first look; after the second P0.Sysmontick.Syscallwhen", w.p0.Sysmontick.Get().Syscallwhen, secondLook)
	w.p0.Syscalltick.Set(9)
	check.Want(t, "it is another call than at the last look, but the time slice is over (due); the result of RetakeSyscall", w.retaken(secondLook+1, true), true)

	for _, c := range []struct {
		what   string
		happen func(w *world)
	}{
		{"G1 is back from its call", func(w *world) { w.g1.Atomicstatus.Store(gmp.Grunning) }},
		{"another M holds the scan bit of G1", func(w *world) { w.g1.Atomicstatus.Store(gmp.Gsyscall | gmp.Gscan) }},
		{"P0 is idle", func(w *world) { w.lost(gmp.Pidle) }},
		{"P0 is stopped", func(w *world) { w.lost(gmp.Pgcstop) }},
		{"while RetakeSyscall calls Incidlelocked(-1) G1 comes back", func(w *world) {
			w.on("Incidlelocked", func(*check.Call) { w.g1.Atomicstatus.Store(gmp.Grunning) })
		}},
	} {
		w := newWorld(t, 2)
		w.inCall()
		w.local(w.p0)
		w.retaken(firstLook, false)
		c.happen(w)
		state, held := w.p0.Status.Load(), w.m0.P.Get()
		check.Want(t, c.what+"; the result of RetakeSyscall", w.retaken(secondLook, true), false)
		w.p0.Syscalltick.Set(9)
		check.Want(t, c.what+"; the result of RetakeSyscall", w.retaken(secondLook, false), false)
		check.Want(t, c.what+"; after RetakeSyscall P0.Sysmontick.Syscallwhen", w.p0.Sysmontick.Get().Syscallwhen, firstLook)
		check.Want(t, c.what+"; after RetakeSyscall P0.Syscalltick", w.p0.Syscalltick.Get(), 9)
		check.Must(t, w.p0.Status.Load() == state && w.m0.P.Get() == held, c.what+"; after RetakeSyscall, M0 and P0 must be as before")
	}
}

// WiredGuess checks what GcstopSyscall does with what it has found.
func WiredGuess(t *check.T) {
	for _, c := range []struct {
		what   string
		happen func(w *world)
		took   bool
	}{
		{"M0 is in a call with P0", func(*world) {}, true},
		{"M0 runs G1", func(w *world) { w.g1.Atomicstatus.Store(gmp.Grunning) }, false},
		{"another M holds the scan bit of G1, which is in a call,", func(w *world) { w.g1.Atomicstatus.Store(gmp.Gsyscall | gmp.Gscan) }, false},
		{"M0 runs no G", func(w *world) { w.m0.Curg.Set(nil) }, false},
		{"P0 has no M", func(w *world) { w.p0.M.Set(nil) }, false},
		{"P0 is idle, although M0 is in a call", func(w *world) { w.p0.Status.Store(gmp.Pidle) }, false},
		{"G1, which M0 seemed to run, is in a call on another M", func(w *world) { w.g1.M.Set(&gmp.M{ID: 1}) }, false},
		{"M0, which seemed to have P0, is in a call without a P", func(w *world) { w.m0.P.Set(nil) }, false},
		{"M0, which seemed to have P0, is in a call with P1", func(w *world) { w.m0.P.Set(w.s.Allp.Get()[1]) }, false},
	} {
		w := newWorld(t, 2)
		w.inCall()
		c.happen(w)
		state, p0m, held, gstate := w.p0.Status.Load(), w.p0.M.Get(), w.m0.P.Get(), w.g1.Atomicstatus.Load()
		w.s.Gcwaiting.Store(true)
		w.s.Stopwait.Set(2)
		took := false
		check.Locked(t, w.s, "GcstopSyscall", func() { took = w.calls.GcstopSyscall(w.p0) })
		what := c.what + "; "
		check.Want(t, what+"the result of GcstopSyscall(P0)", took, c.took)
		what += "after GcstopSyscall(P0) "
		if c.took {
			check.Want(t, what+"the state of P0", check.PState(w.p0), "gcstop")
			check.Want(t, what+"P0.M", check.MName(w.p0.M.Get()), "nil")
			check.Want(t, what+"M0.P", check.PName(w.m0.P.Get()), "nil")
			check.Want(t, what+"P0.Syscalltick", w.p0.Syscalltick.Get(), 8)
			check.Want(t, what+"s.Stopwait", w.s.Stopwait.Get(), 1)
			check.Want(t, what+"the state of G1", check.State(w.g1), "syscall")
			continue
		}
		check.Must(t, w.g1.Atomicstatus.Load() == gstate, what+"G1 must be as before, with its scan bit")
		check.Must(t, w.p0.Status.Load() == state && w.p0.M.Get() == p0m && w.m0.P.Get() == held, what+"P0 and M0 must be as before")
		check.Want(t, what+"P0.Syscalltick", w.p0.Syscalltick.Get(), 7)
		check.Want(t, what+"s.Stopwait", w.s.Stopwait.Get(), 2)
	}
}
