package ch11

import (
	"fmt"
	"io"
	"math"

	"gosched/chapters/check"
	"gosched/chapters/gmp"
)

// lockNests checks LockOSThread and UnlockOSThread.
func lockNests(t *check.T) {
	w := newWorld(t, 1)
	want := func(after string, ext uint32) {
		t.Helper()
		m, g := "nil", "nil"
		if ext > 0 {
			m, g = "M0", "G1"
		}
		check.Want(t, "after "+after+" M0.LockedExt", w.m0.LockedExt.Get(), ext)
		check.Want(t, "after "+after+" G1.Lockedm", check.MName(w.g1.Lockedm.Get()), m)
		check.Want(t, "after "+after+" M0.Lockedg", check.Name(w.m0.Lockedg.Get()), g)
	}
	w.locks.UnlockOSThread(w.m0, w.g1)
	want("UnlockOSThread without a LockOSThread", 0)
	w.locks.LockOSThread(w.m0, w.g1)
	want("one LockOSThread", 1)
	w.locks.LockOSThread(w.m0, w.g1)
	want("two LockOSThread", 2)
	w.locks.UnlockOSThread(w.m0, w.g1)
	want("two LockOSThread and one UnlockOSThread", 1)
	w.locks.UnlockOSThread(w.m0, w.g1)
	want("two LockOSThread and two UnlockOSThread", 0)
	w.locks.UnlockOSThread(w.m0, w.g1)
	want("two LockOSThread and three UnlockOSThread", 0)

	panicked := ""
	w.s.OnPanic(func(gp *gmp.G, msg string) { panicked = msg })
	w.locks.LockOSThread(w.m0, w.g1)
	w.m0.LockedExt.Set(math.MaxUint32)
	w.locks.LockOSThread(w.m0, w.g1)
	check.Want(t, "LockedExt is 1<<32-1; the panic of G1 in LockOSThread", check.Thrown(panicked), `"LockOSThread nesting overflow"`)
	want("LockOSThread with LockedExt 1<<32-1", math.MaxUint32)
}

// idleLocked checks the count of Ms that wait for their Gs.
func idleLocked(t *check.T) {
	w := newWorld(t, 1)
	for _, c := range []struct {
		v, want int32
		dead    int
	}{{1, 1, 1}, {1, 2, 1}, {-1, 1, 0}, {-1, 0, 0}, {-1, -1, 0}, {1, 0, 1}} {
		w.Calls = nil
		what := fmt.Sprintf("s.Nmidlelocked was %d; after Incidlelocked(%d) ", c.want-c.v, c.v)
		w.on("Checkdead", func(call *check.Call) {
			check.Want(t, fmt.Sprintf("when Incidlelocked(%d) calls Checkdead, s.Nmidlelocked", c.v), w.s.Nmidlelocked.Get(), c.want)
		})
		w.locks.Incidlelocked(c.v)
		check.WantUnlocked(t, w.s, "Incidlelocked")
		check.Want(t, what+"s.Nmidlelocked", w.s.Nmidlelocked.Get(), c.want)
		check.Want(t, what+"the number of calls of Checkdead", len(w.Of("Checkdead")), c.dead)
	}
	n := t.AcquisitionsOf("sched.lock", func() {
		s := t.Bare(nil)
		s.Mnext.Set(5)
		s.LockedThreads.Incidlelocked(1)
	})
	check.WantTimes(t, "Incidlelocked takes s.Lock", int(n), 1)
}

// stopLocked checks the M that waits for its G.
func stopLocked(t *check.T) {
	for _, has := range []bool{true, false} {
		w := newWorld(t, 2)
		w.s.Dropg(w.m0)
		w.g1.Atomicstatus.Store(gmp.Gwaiting)
		lock(w.m0, w.g1)
		if !has {
			w.spare(0)
		}
		p1, slept := w.s.Allp.Get()[1], false
		what := fmt.Sprintf("M0 holds P0: %v; ", has)
		w.on("Handoffp", func(c *check.Call) {
			check.Want(t, what+"when Stoplockedm calls Handoffp, M0.P", check.PName(w.m0.P.Get()), "nil")
			check.Want(t, what+"when Stoplockedm calls Handoffp, the state of P0", check.PState(w.p0), "idle")
			check.Want(t, what+"when Stoplockedm calls Handoffp s.Nmidlelocked, in which M0 must not count as long as Gs may wait for the M that it starts,", w.s.Nmidlelocked.Get(), 0)
		})
		w.on("MPark", func(c *check.Call) {
			slept = true
			check.Want(t, what+"when M0 goes to sleep (MPark) s.Nmidlelocked", w.s.Nmidlelocked.Get(), 1)
			check.Want(t, what+"when M0 goes to sleep (MPark) the calls of Handoffp", len(w.Of("Handoffp")) == 1, has)
			if w.s.Midle.Get() != nil {
				t.Errorf("M0, which waits for its G, is on the list of idle Ms; an M that needs any M will wake it")
			}
			// Another M finds G1, and gives P1.
			w.g1.Atomicstatus.Store(gmp.Grunnable)
			p1.M.Set(nil)
			p1.Status.Store(gmp.Pidle)
			w.m0.Nextp.Set(p1)
		})
		w.locks.Stoplockedm(w.m0)
		check.WantUnlocked(t, w.s, "Stoplockedm")
		if !slept {
			t.Fatalf("Stoplockedm(M0) returned, and M0 has not slept (MPark)")
		}
		check.Want(t, what+"M0 was woken and given P1, by Nextp; after Stoplockedm M0.P", check.PName(w.m0.P.Get()), "P1")
		check.Want(t, what+"after Stoplockedm M0.Nextp", check.PName(w.m0.Nextp.Get()), "nil")
		check.Want(t, what+"after Stoplockedm s.Nmidlelocked, which is the business of the M that has woken M0,", w.s.Nmidlelocked.Get(), 1)
		check.Want(t, what+"what is not for Stoplockedm to call", w.order("Execute", "Mput", "Stopm", "Schedule"), "nothing")
	}

	for _, c := range []struct {
		what    string
		mistake func(w *world)
		throws  string
	}{
		{"M0 is locked to no G", func(w *world) {}, "stoplockedm: inconsistent locking"},
		{"M0 is locked to G1, and G1 to M1", func(w *world) { lock(w.m0, w.g1); w.g1.Lockedm.Set(&gmp.M{ID: 1}) }, "stoplockedm: inconsistent locking"},
		{"M0 is woken, and G1 still waits", func(w *world) { lock(w.m0, w.g1) }, "stoplockedm: not runnable"},
		{"M0 is woken, and G1 is runnable and has its scan bit set", func(w *world) {
			lock(w.m0, w.g1)
			w.on("MPark", func(*check.Call) {
				w.g1.Atomicstatus.Store(gmp.Grunnable | gmp.Gscan)
				w.m0.Nextp.Set(w.spare(0))
			})
		}, ""},
	} {
		w := newWorld(t, 2)
		w.s.Dropg(w.m0)
		w.g1.Atomicstatus.Store(gmp.Gwaiting)
		w.on("MPark", func(*check.Call) { w.m0.Nextp.Set(w.spare(0)) })
		c.mistake(w)
		msg := t.Throws(func() { w.locks.Stoplockedm(w.m0) })
		check.WantThrow(t, "when "+c.what+", Stoplockedm(M0)", check.Thrown(msg), check.Thrown(c.throws))
	}
}

// startLocked checks the M that has found the G of another.
func startLocked(t *check.T) {
	w := newWorld(t, 2)
	m1, g2 := w.lockedM(gmp.Grunnable)
	w.s.Nmidlelocked.Set(1)
	w.s.Dropg(w.m0)
	w.on("Incidlelocked", func(*check.Call) {
		if check.Woken(m1) {
			t.Errorf("M1 is woken before it is counted as awake (Incidlelocked): it may run G2 and wait for it again, and Checkdead counts it twice")
			m1.Park.Wakeup()
		}
	})
	w.on("Stopm", func(*check.Call) {
		const then = "when Startlockedm calls Stopm "
		check.Want(t, then+"M1.Nextp", check.PName(m1.Nextp.Get()), "P0")
		check.Want(t, then+"the state of P0", check.PState(w.p0), "idle")
		check.Must(t, check.Woken(m1), then+"M1 must be woken")
		check.Want(t, then+"M0.P", check.PName(w.m0.P.Get()), "nil")
		check.Want(t, then+"s.Nmidlelocked", w.s.Nmidlelocked.Get(), 0)
	})
	w.locks.Startlockedm(w.m0, g2)
	check.WantUnlocked(t, w.s, "Startlockedm")
	w.only("Startlockedm", "Stopm", "M0 has given its P away, and has nothing to do")
	check.Want(t, "what is not for Startlockedm to call", w.order("Execute", "Schedule", "Mget", "Startm"), "nothing")

	for _, c := range []struct {
		what    string
		mistake func(w *world) *gmp.G
		throws  string
	}{
		{"G1 is locked to M0 itself", func(w *world) *gmp.G { lock(w.m0, w.g1); return w.g1 }, "startlockedm: locked to me"},
		{"M1 has a Nextp", func(w *world) *gmp.G {
			m1, g2 := w.lockedM(gmp.Grunnable)
			m1.Nextp.Set(w.s.Allp.Get()[1])
			return g2
		}, "startlockedm: m has p"},
	} {
		w := newWorld(t, 2)
		gp := c.mistake(w)
		w.s.Dropg(w.m0)
		msg := t.Throws(func() { w.locks.Startlockedm(w.m0, gp) })
		check.WantThrow(t, "when "+c.what+", Startlockedm", check.Thrown(msg), check.Thrown(c.throws))
		check.Want(t, "when "+c.what+", after Startlockedm M0.P", check.PName(w.m0.P.Get()), "P0")
	}
}

// loopLocked checks what Schedule does about locked Gs and Ms.
func loopLocked(t *check.T) {
	// M0 is locked to G1, which has parked.
	w := newWorld(t, 2)
	w.s.Dropg(w.m0)
	w.g1.Atomicstatus.Store(gmp.Gwaiting)
	lock(w.m0, w.g1)
	w.local(w.p0)
	w.on("Stoplockedm", func(*check.Call) { w.g1.Atomicstatus.Store(gmp.Grunnable) })
	w.loop.Schedule(w.m0)
	const waits = "M0 is locked to G1, which has parked; "
	check.Want(t, waits+"what Schedule(M0) calls", w.order("FindRunnable", "Stoplockedm", "Execute", "Startlockedm"), "Stoplockedm, Execute")
	check.Want(t, waits+"after Schedule M0.Curg", check.Name(w.m0.Curg.Get()), "G1")
	check.Must(t, !check.Arg[bool](w.Of("Execute")[0].Call), waits+"G1 must not inherit a time slice")

	// M0 finds G2, which is locked to M1, and then G3.
	for _, spins := range []bool{false, true} {
		w = newWorld(t, 2)
		w.s.Dropg(w.m0)
		_, g2 := w.lockedM(gmp.Grunnable)
		g3 := check.NewG(w.s, gmp.Grunnable)
		w.found = []*gmp.G{g2, g3}
		if spins {
			w.m0.Spinning.Set(true)
			w.s.Nmspinning.Store(1)
		}
		w.on("Startlockedm", func(c *check.Call) {
			check.Want(t, "when Schedule calls Startlockedm, the G", check.Name(c.G), "G2")
			check.Must(t, !w.m0.Spinning.Get(), "when Schedule calls Startlockedm, M0, which is to sleep, must not spin")
		})
		w.loop.Schedule(w.m0)
		what := fmt.Sprintf("M0, which spins: %v, finds G2, which is locked to M1, and then G3, which is not; ", spins)
		check.Want(t, what+"what Schedule(M0) calls", w.order("FindRunnable", "Stoplockedm", "Execute", "Startlockedm"), "FindRunnable, Startlockedm, FindRunnable, Execute")
		check.Want(t, what+"after Schedule M0.Curg", check.Name(w.m0.Curg.Get()), "G3")
		check.Want(t, what+"after Schedule the state of G2", check.State(g2), "runnable")
	}

	// G1 has ended without unlocking M0.
	w = newWorld(t, 2)
	w.s.Dropg(w.m0)
	w.m0.LockedExt.Set(1)
	w.loop.Schedule(w.m0)
	const ended = "M0.LockedExt is 1, and M0.Lockedg is nil: its G has ended locked; "
	check.Want(t, ended+"what Schedule(M0) calls", w.order("FindRunnable", "Stoplockedm", "Execute", "Startlockedm", "Mexit"), "Mexit")
	check.Want(t, ended+"after Schedule M0.Curg", check.Name(w.m0.Curg.Get()), "nil")
}

// loopOrdinary checks what Schedule does for other Gs, as in chapter 8.
func loopOrdinary(t *check.T) {
	for _, spins := range []bool{false, true} {
		w := newWorld(t, 2)
		w.s.Dropg(w.m0)
		gp := check.NewG(w.s, gmp.Grunnable)
		w.found = []*gmp.G{gp}
		w.m0.Spinning.Set(spins)
		if spins {
			w.s.Nmspinning.Store(1)
		}
		w.on("Execute", func(c *check.Call) {
			check.Must(t, !w.m0.Spinning.Get(), "when Schedule calls Execute, M0 must not spin")
			check.Want(t, "when Schedule calls Execute, inheritTime, as FindRunnable has said,", check.Arg[bool](c.Call), true)
		})
		w.loop.Schedule(w.m0)
		check.Want(t, "M0 finds G2; after Schedule M0.Curg", check.Name(w.m0.Curg.Get()), "G2")
		check.Want(t, "M0 finds G2; after Schedule G2.M", check.MName(gp.M.Get()), "M0")
		check.Want(t, "M0 finds G2; after Schedule the state of G2", check.State(gp), "running")
		check.Want(t, "M0 finds G2, which inherits its time slice; after Schedule P0.Schedtick", w.p0.Schedtick.Get(), 0)
		check.Must(t, (len(w.Of("Resetspinning")) == 1) == spins, fmt.Sprintf("M0 spins: %v; Schedule %s call Resetspinning", spins, check.MustIf(spins)))
	}
	for _, spins := range []bool{false, true} {
		w := newWorld(t, 2)
		w.s.Dropg(w.m0)
		w.found, w.wake = []*gmp.G{check.NewG(w.s, gmp.Grunnable)}, true
		w.m0.Spinning.Set(spins)
		w.s.Nmspinning.Store(1)
		woke := false
		w.on("Wakep", func(*check.Call) { woke = woke || !w.m0.Spinning.Get() })
		w.on("Execute", func(*check.Call) {
			if !woke {
				t.Errorf("FindRunnable wants an M woken (tryWakeP), and Schedule does not call Wakep, when M0 no longer spins, before Execute; the G may run for long")
			}
		})
		if spins {
			w.on("Resetspinning", func(*check.Call) { w.s.Nmspinning.Store(2) }) // so that Wakep is left to Schedule
		}
		w.loop.Schedule(w.m0)
		check.Must(t, len(w.Of("Wakep")) > 0, fmt.Sprintf("M0 spins: %v, and FindRunnable wants an M woken; Schedule itself must call Wakep", spins))
	}
	w := newWorld(t, 2)
	w.s.Dropg(w.m0)
	w.loop.Schedule(w.m0)
	check.Want(t, "the program is over, and FindRunnable returns nil; what else Schedule calls", w.order("Execute", "Stoplockedm", "Startlockedm"), "nothing")
	execute(t, "this Go has no signals", newWorld(t, 2))
	v := t.Version()
	v.Signals = func(*gmp.Sched) gmp.Signals { return nil }
	w = worldOn(t, gmp.NewBare(v, io.Discard), 2)
	w.p0.Preempt.Set(true)
	execute(t, "this Go has signals", w)
	w = newWorld(t, 2)
	w.s.Dropg(w.m0)
	w.local(w.p0)
	w.m0.Spinning.Set(true)
	msg := t.Throws(func() { w.loop.Schedule(w.m0) })
	check.WantThrow(t, "M0 spins, and P0 has a G in its queue; Schedule(M0)", check.Thrown(msg), `"schedule: spinning with local work"`)
}

// execute checks how a G begins to run again that was asked to stop, and has stopped.
func execute(t *check.T, what string, w *world) {
	w.s.Dropg(w.m0)
	w.on("Casgstatus", func(c *check.Call) {
		if w.m0.Curg.Get() != c.G || c.G.M.Get() != w.m0 {
			t.Errorf("Execute makes G2 Grunning before M0 and G2 are linked, both ways; an M that sees a running G looks for its M")
		}
		if c.G.Preempt.Get() || c.G.Sched.Guard.Load() != uint64(c.G.Stack.Get().Lo)+gmp.StackGuard {
			t.Errorf("G2 was asked to stop, and has stopped; when Execute makes it Grunning again, Preempt is %v and its guard is %#x; want false and %#x, Stack.Lo + StackGuard: otherwise it stops once more", c.G.Preempt.Get(), c.G.Sched.Guard.Load(), uint64(c.G.Stack.Get().Lo)+gmp.StackGuard)
		}
		if w.p0.Preempt.Get() {
			t.Errorf("%s, and G2's P was asked to stop; when Execute makes G2 Grunning again, P0.Preempt is true; want false: otherwise the next signal stops G2, for nobody", what)
		}
	})
	asked := check.NewG(w.s, gmp.Grunnable)
	asked.Ask()
	w.loop.Execute(w.m0, asked, false)
	check.Want(t, "after Execute with a new time slice P0.Schedtick", w.p0.Schedtick.Get(), 1)
}

// exitM checks the end of an M.
func exitM(t *check.T) {
	for _, id := range []int64{3, 0} {
		w := newWorld(t, 2)
		w.s.Dropg(w.m0)
		w.m0.ID = id
		w.m0.LockedExt.Set(1)
		w.s.Mnext.Set(4)
		name := check.MName(w.m0)
		w.on("Handoffp", func(*check.Call) {
			check.Want(t, "when Mexit("+name+") calls Handoffp, its P", check.PName(w.m0.P.Get()), "nil")
			check.Want(t, "when Mexit("+name+") calls Handoffp, s.Nmfreed, in which it is not counted as long as it has a P in its hands,", w.s.Nmfreed.Get(), 0)
		})
		w.on("Checkdead", func(*check.Call) {
			check.Want(t, "when Mexit("+name+") calls Checkdead, s.Nmfreed", w.s.Nmfreed.Get(), 1)
		})
		msg := t.Throws(func() { w.locks.Mexit(w.m0) })
		w.only("Mexit("+name+")", "Handoffp", "another M may need the P")
		w.only("Mexit("+name+")", "Checkdead", "it may have been the last M awake")
		check.Want(t, "after Mexit("+name+") s.Nmfreed", w.s.Nmfreed.Get(), 1)
		slept := len(w.Of("MPark")) > 0
		if id == 0 {
			check.Must(t, slept, "M0 is the program's first thread; Mexit(M0) must let it sleep for ever (MPark)")
			check.WantThrow(t, "M0 sleeps for ever, and is woken; Mexit", check.Thrown(msg), `"locked m0 woke up"`)
			continue
		}
		check.WantUnlocked(t, w.s, "Mexit")
		check.WantThrow(t, "Mexit("+name+")", check.Thrown(msg), "nothing")
		check.Must(t, !slept, "Mexit("+name+") must not sleep (MPark)")
		check.Must(t, w.m0.Gone, "after Mexit("+name+"), Gone must be set")
	}
}
