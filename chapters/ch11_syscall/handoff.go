package ch11

import (
	"fmt"

	"gosched/chapters/check"
	"gosched/chapters/gmp"
	"gosched/chapters/machine"
)

// handoff is a call of the Handoffp under test by M0, for P0, of which it has let go.
func (w *world) handoff() {
	w.spare(0)
	w.calls.Handoffp(w.m0, w.p0)
	check.WantUnlocked(w.t, w.s, "Handoffp")
}

// wantStarted checks that an M was started for P0.
func (w *world) wantStarted(what string, spinning bool) {
	w.t.Helper()
	c := w.only("Handoffp, when "+what+",", "Startm", "there is something to do for P0")
	check.Want(w.t, "when "+what+", the P for which Handoffp calls Startm", check.PName(check.Arg[*gmp.P](c.Call)), "P0")
	check.Want(w.t, "when "+what+", the argument spinning of Startm", c.Args[2].(bool), spinning)
	check.Want(w.t, "when "+what+", the argument lockheld of Startm", c.Args[3].(bool), false)
	if n := len(w.Of("Pidleput")); n > 0 {
		w.t.Errorf("when %s, Handoffp calls Startm for P0, and puts it on the list of idle Ps as well", what)
	}
}

// wantIdle checks that P0 was put on the list of idle Ps.
func (w *world) wantIdle(what string) {
	w.t.Helper()
	if n := len(w.Of("Startm")); n > 0 {
		w.t.Errorf("when %s, Handoffp starts an M (Startm) for P0; want P0 on the list of idle Ps, since there is nothing to do for it", what)
		return
	}
	w.only("Handoffp, when "+what+",", "Pidleput", "there is nothing to do for P0")
	check.Want(w.t, "when "+what+", after Handoffp the first P on the list of idle ones", check.PName(w.s.Pidle.Get()), "P0")
}

// handoffWork checks that a P with work gets an M at once.
func handoffWork(t *check.T) {
	w := newWorld(t, 4)
	w.idle(2)
	w.s.Nmspinning.Store(1)
	w.local(w.p0)
	w.handoff()
	w.wantStarted("P0 has a G in its queue, and others look for work", false)

	w = newWorld(t, 4)
	w.idle(2)
	w.s.Nmspinning.Store(1)
	w.global()
	w.handoff()
	w.wantStarted("there is a G on the global queue, and others look for work", false)

	w = newWorld(t, 4)
	w.s.Gcwaiting.Store(true)
	w.s.Stopwait.Set(4)
	w.local(w.p0)
	w.handoff()
	w.wantStarted("P0 has a G in its queue, and the world is to stop", false)
}

// handoffSpin checks that an M looks for work if no other does.
func handoffSpin(t *check.T) {
	for _, wanted := range []bool{false, true} {
		w := newWorld(t, 4)
		w.s.Needspinning.Store(wanted)
		w.on("Startm", func(*check.Call) {
			check.Want(t, "no M spins, and no P is idle; when Handoffp calls Startm, s.Nmspinning, in which that M is counted by then,", w.s.Nmspinning.Load(), 1)
			check.Want(t, "no M spins, and no P is idle; when Handoffp calls Startm, s.Needspinning", w.s.Needspinning.Load(), false)
		})
		w.handoff()
		w.wantStarted("no M spins, and no P is idle", true)
	}

	for _, c := range []struct {
		what    string
		arrange func(w *world)
	}{
		{"an M spins already", func(w *world) { w.s.Nmspinning.Store(1) }},
		{"a P is idle already", func(w *world) { w.idle(3) }},
		{"an M spins, and a P is idle already", func(w *world) { w.idle(3); w.s.Nmspinning.Store(1) }},
	} {
		w := newWorld(t, 4)
		c.arrange(w)
		spinning := w.s.Nmspinning.Load()
		w.handoff()
		w.wantIdle(c.what)
		check.Want(t, c.what+"; after Handoffp s.Nmspinning", w.s.Nmspinning.Load(), spinning)
	}

	w := newWorld(t, 4)
	w.idle(3)
	w.s.Needspinning.Store(true)
	w.on("Startm", func(*check.Call) {
		check.Want(t, "s.Needspinning is set; when Handoffp calls Startm, s.Nmspinning, in which that M is counted by then,", w.s.Nmspinning.Load(), 1)
		check.Want(t, "s.Needspinning is set; when Handoffp calls Startm, s.Needspinning", w.s.Needspinning.Load(), false)
	})
	w.handoff()
	w.wantStarted("an M that has seen work got no P for it (Needspinning)", true)
}

// handoffStop checks a world that is to stop.
func handoffStop(t *check.T) {
	for _, wait := range []int32{2, 1} {
		w := newWorld(t, 4)
		w.s.Nmspinning.Store(1)
		w.s.Gcwaiting.Store(true)
		w.s.Stopwait.Set(wait)
		w.handoff()
		what := fmt.Sprintf("the world is to stop, and s.Stopwait is %d; after Handoffp ", wait)
		check.Want(t, what+"the state of P0", check.PState(w.p0), "gcstop")
		check.Want(t, what+"s.Stopwait", w.s.Stopwait.Get(), wait-1)
		check.Must(t, signalled(&w.s.Stopnote) == (wait == 1), what+"s.Stopnote "+check.MustIf(wait == 1)+" be signalled")
		check.Want(t, what+"what else was called", w.order("Startm", "Pidleput"), "nothing")
	}
}

// handoffLast checks the last P, and the timers of an idle one.
func handoffLast(t *check.T) {
	last := func(poll int64) *world {
		w := newWorld(t, 2)
		w.idle(1)
		w.s.Lastpoll.Store(poll)
		w.handoff()
		return w
	}
	last(1).wantStarted("all other Ps are idle, and no M waits for the network", false)
	last(0).wantIdle("all other Ps are idle, and an M waits for the network")

	w := newWorld(t, 3)
	w.s.Nmspinning.Store(1)
	w.handoff()
	w.wantIdle("another P is busy, and there is no work,")

	for _, when := range []int64{0, 500} {
		s, _ := t.SchedOf(machine.MinMemBytes)
		w := worldOn(t, s, 3)
		w.s.Nmspinning.Store(1)
		w.p0.Timers.MinWhenHeap.Store(when)
		w.handoff()
		w.wantIdle("there is no work")
		what := fmt.Sprintf("there is no work, and the first timer of P0 is due at %d (0: it has none); after Handoffp whether an M was told to look after timers (Wakenetpoller)", when)
		check.Want(t, what, len(w.Of("Wakep", "NetpollBreak")) > 0, when != 0)
	}
}

// Times of the monitor's looks, in ns.
const (
	firstLook  = 1_000_000
	secondLook = firstLook + 20_000
	muchLater  = firstLook + 10_000_000
)

// retaken calls the RetakeSyscall under test, and says whether it has taken P0.
func (w *world) retaken(now int64, due bool) bool {
	w.Calls = nil
	const scan = gmp.Gscan
	scanned := w.g1.Atomicstatus.Load() & scan
	got := w.calls.RetakeSyscall(&gmp.M{ID: -1}, w.p0, now, due)
	check.Must(w.t, w.g1.Atomicstatus.Load()&scan == scanned, "after RetakeSyscall, the scan bit of G1, without which it may leave its call, must be as before")
	check.WantUnlocked(w.t, w.s, "RetakeSyscall")
	if n := len(w.Of("Handoffp")); (n == 1) != got {
		w.t.Fatalf("RetakeSyscall returns %v, and has called Handoffp %d times; it hands off a P that it has taken, once", got, n)
	}
	check.Want(w.t, "after RetakeSyscall s.Nmidlelocked, which is to be as before,", w.s.Nmidlelocked.Get(), 0)
	return got
}

// retake checks when a P is taken from a call, and how.
func retake(t *check.T) {
	w := newWorld(t, 2)
	w.inCall()
	w.local(w.p0)
	check.Want(t, "P0 has been left behind in a call, its queue is not empty, and the monitor looks for the first time; the result of RetakeSyscall", w.retaken(firstLook, false), false)
	check.Want(t, "after the first look the state of P0", check.PState(w.p0), "syscall")
	seen := w.p0.Sysmontick.Get()
	check.Want(t, "after the first look P0.Sysmontick.Syscalltick", seen.Syscalltick, 7)
	check.Want(t, "after the first look P0.Sysmontick.Syscallwhen", seen.Syscallwhen, firstLook)

	w.on("Incidlelocked", func(c *check.Call) {
		if check.Arg[int32](c.Call) < 0 && w.p0.Status.Load() != gmp.Psyscall {
			t.Errorf("P0 is taken before one is subtracted from s.Nmidlelocked (Incidlelocked(-1)): its M may come back in between, find no P, and go to sleep, and Checkdead finds no M awake")
		}
		if check.Arg[int32](c.Call) > 0 && w.p0.Status.Load() == gmp.Pidle && len(w.Of("Handoffp")) == 0 {
			t.Errorf("Incidlelocked(1) is called before P0 is handed off; as long as P0 is in the monitor's hands, no M may be awake, and Checkdead would report that")
		}
	})
	w.on("Handoffp", func(c *check.Call) {
		check.Want(t, "when RetakeSyscall calls Handoffp, its P", check.PName(check.Arg[*gmp.P](c.Call)), "P0")
		check.Want(t, "when RetakeSyscall calls Handoffp, the state of P0", check.PState(w.p0), "idle")
		check.Want(t, "when RetakeSyscall calls Handoffp, P0.Syscalltick", w.p0.Syscalltick.Get(), 8)
		check.Want(t, "when RetakeSyscall calls Handoffp, s.Nmidlelocked, in which one M is left out,", w.s.Nmidlelocked.Get(), -1)
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

	w = newWorld(t, 2)
	w.inCall()
	w.local(w.p0)
	w.retaken(firstLook, false)
	lost := false // not, if one is subtracted without a call
	w.on("Incidlelocked", func(c *check.Call) {
		if check.Arg[int32](c.Call) < 0 {
			w.p0.Status.Store(gmp.Prunning)
			lost = true
		}
	})
	if got := w.retaken(secondLook, false); lost {
		const back = "P0 is to be taken, but while RetakeSyscall calls Incidlelocked(-1) its M comes back and wins it; "
		check.Want(t, back+"the result of RetakeSyscall", got, false)
		check.Want(t, back+"afterwards s.Nmidlelocked, of which 1 too few would hide each later deadlock,", w.s.Nmidlelocked.Get(), 0)
		check.Want(t, back+"afterwards the state of P0", check.PState(w.p0), "running")
		check.Want(t, back+"afterwards P0.Syscalltick", w.p0.Syscalltick.Get(), 7)
	}

	for _, status := range []uint32{gmp.Prunning, gmp.Pidle, gmp.Pgcstop} {
		w := newWorld(t, 2)
		w.inCall()
		w.local(w.p0)
		w.retaken(firstLook, false)
		w.p0.Status.Store(status)
		name := check.PState(w.p0)
		check.Want(t, "P0 is "+name+"; the result of RetakeSyscall", w.retaken(secondLook, true), false)
		w.p0.Syscalltick.Set(9)
		check.Want(t, "P0 is "+name+"; the result of RetakeSyscall", w.retaken(secondLook, false), false)
		check.Want(t, "P0 is "+name+", in no call; after RetakeSyscall P0.Sysmontick.Syscallwhen", w.p0.Sysmontick.Get().Syscallwhen, firstLook)
		check.Want(t, "P0 is "+name+"; what RetakeSyscall calls", w.order("Incidlelocked"), "nothing")
		check.Want(t, "P0 was "+name+"; after RetakeSyscall its state", check.PState(w.p0), name)
	}
}

// unneeded checks that a P is left to its M as long as no M needs it.
func unneeded(t *check.T) {
	for _, c := range []struct {
		what    string
		arrange func(w *world)
		now     int64
		taken   bool
	}{
		{"P0 has no G, P1 is idle, and 20 µs are over", func(w *world) { w.idle(1) }, secondLook, false},
		{"P0 has no G, an M spins, and 20 µs are over", func(w *world) { w.s.Nmspinning.Store(1) }, secondLook, false},
		{"P0 has no G, an M spins, and 10 ms less 1 ns are over", func(w *world) { w.s.Nmspinning.Store(1) }, muchLater - 1, false},
		{"P0 has no G, P1 is idle, and 10 ms are over", func(w *world) { w.idle(1) }, muchLater, true},
		{"P0 has a G, P1 is idle, and 20 µs are over", func(w *world) { w.idle(1); w.local(w.p0) }, secondLook, true},
		{"P0 has no G, no M spins, no P is idle, and 20 µs are over", func(w *world) {}, secondLook, true},
	} {
		w := newWorld(t, 3)
		w.inCall()
		c.arrange(w)
		state := w.p0.Status.Load()
		w.retaken(firstLook, false)
		check.Want(t, c.what+"; the result of RetakeSyscall", w.retaken(c.now, false), c.taken)
		if !c.taken {
			check.Must(t, w.p0.Status.Load() == state, c.what+"; after RetakeSyscall, which leaves P0 to its M, its state must be as before")
		}
	}
}

// gcstop checks the M that stops the world.
func gcstop(t *check.T) {
	stop := func(w *world) (took bool) {
		w.s.Gcwaiting.Store(true)
		w.s.Stopwait.Set(2)
		check.Locked(t, w.s, "GcstopSyscall", func() { took = w.calls.GcstopSyscall(w.p0) })
		return took
	}
	w := newWorld(t, 2)
	w.inCall()
	check.Want(t, "P0 was left behind in a call; the result of GcstopSyscall", stop(w), true)
	check.Want(t, "P0 was left behind in a call; after GcstopSyscall its state", check.PState(w.p0), "gcstop")
	check.Want(t, "P0 was left behind in a call; after GcstopSyscall P0.Syscalltick", w.p0.Syscalltick.Get(), 8)
	check.Want(t, "P0 was left behind in a call; after GcstopSyscall s.Stopwait", w.s.Stopwait.Get(), 1)
	check.Want(t, "P0 was the last P that the world waited for; after GcstopSyscall s.Stopwait", stopLast(t), 0)
	w = newWorld(t, 2)
	check.Want(t, "P0 is running; the result of GcstopSyscall", stop(w), false)
	check.Want(t, "P0 is running; after GcstopSyscall its state", check.PState(w.p0), "running")
	check.Want(t, "P0 is running; after GcstopSyscall s.Stopwait", w.s.Stopwait.Get(), 2)
}

// stopLast lets GcstopSyscall stop the last P, and returns what Stopwait is then.
func stopLast(t *check.T) int32 {
	w := newWorld(t, 2)
	w.inCall()
	w.s.Gcwaiting.Store(true)
	w.s.Stopwait.Set(1)
	check.Locked(t, w.s, "GcstopSyscall", func() { w.calls.GcstopSyscall(w.p0) })
	if signalled(&w.s.Stopnote) {
		t.Errorf("P0 was the last P that the world waited for, and GcstopSyscall signals s.Stopnote; it must not: its caller reads s.Stopwait. Entersyscall signals the note then, and the M that stops the world does not sleep on it, so that the next signal would be a second one (\"double wakeup\")")
	}
	return w.s.Stopwait.Get()
}

// visible checks that the models see what the parts share.
func visible(t *check.T) {
	w := newWorld(t, 1)
	w.inCall()
	w.calls.GcstopSyscall(w.p0)
	t.Visible()
}
