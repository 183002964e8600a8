package ch11

import (
	"fmt"

	"gosched/chapters/check"
	"gosched/chapters/gmp"
	"gosched/chapters/machine"
)

// enter checks how an M goes into a call.
func enter(t *check.T) {
	w := newWorld(t, 2)
	w.on("Casgstatus", func(c *check.Call) {
		if w.p0.Status.Load() != gmp.Prunning {
			t.Errorf("P0 is %s, and G1 is still %s: another M may have P0 by now, and M0 has not finished with it", check.PState(w.p0), check.State(w.g1))
		}
		w.wantNoted("Entersyscall")
	})
	w.calls.Entersyscall(w.m0, w.g1)
	check.WantUnlocked(t, w.s, "Entersyscall")
	const after = "after Entersyscall(M0, G1) "
	check.Want(t, after+"the state of G1", check.State(w.g1), "syscall")
	check.Want(t, after+"G1.SyscallPC", w.g1.SyscallPC.Get(), machine.PC(pc))
	check.Want(t, after+"G1.SyscallSP", w.g1.SyscallSP.Get(), machine.Addr(sp))
	check.Want(t, after+"M0.Curg", check.Name(w.m0.Curg.Get()), "G1")
	check.Want(t, after+"G1.M", check.MName(w.g1.M.Get()), "M0")
	check.Want(t, after+"M0.P", check.PName(w.m0.P.Get()), "nil")
	check.Want(t, after+"M0.Oldp", check.PName(w.m0.Oldp.Get()), "P0")
	check.Want(t, after+"P0.M", check.MName(w.p0.M.Get()), "nil")
	check.Want(t, after+"the state of P0", check.PState(w.p0), "syscall")
	check.Want(t, after+"P0.Syscalltick, which counts calls that are over,", w.p0.Syscalltick.Get(), 7)
	check.Want(t, after+"M0.Syscalltick, which was P0's,", w.m0.Syscalltick.Get(), 7)
	if n := len(w.Of("Handoffp", "Startm", "Wakep", "Pidleput")); n > 0 {
		t.Errorf("Entersyscall gives P0 to another M, or tells others of it; most calls are over sooner than that, and whether this one lasts is for the monitor to see")
	}
}

// wantNoted checks that it is noted where G1 stands.
func (w *world) wantNoted(who string) {
	w.t.Helper()
	if w.g1.SyscallPC.Get() != pc || w.g1.SyscallSP.Get() != sp {
		w.t.Errorf("%s makes G1 Gsyscall before it has noted SyscallPC and SyscallSP; whoever looks at the stack of a G that is in a call begins there", who)
	}
}

// enterStop checks the M that enters a call while the world is to stop.
func enterStop(t *check.T) {
	for _, c := range []struct {
		wait  int32
		state string
		left  int32
		tick  uint32
		woken bool
	}{
		{2, "gcstop", 1, 8, false},
		{1, "gcstop", 0, 8, true},
		{0, "syscall", 0, 7, false},
	} {
		w := newWorld(t, 3)
		w.s.Gcwaiting.Store(true)
		w.s.Stopwait.Set(c.wait)
		what := fmt.Sprintf("the world is to stop, and s.Stopwait is %d; after Entersyscall(M0, G1) ", c.wait)
		w.calls.Entersyscall(w.m0, w.g1)
		check.WantUnlocked(t, w.s, "Entersyscall")
		check.Want(t, what+"the state of P0", check.PState(w.p0), c.state)
		check.Want(t, what+"s.Stopwait", w.s.Stopwait.Get(), c.left)
		check.Want(t, what+"P0.Syscalltick", w.p0.Syscalltick.Get(), c.tick)
		check.Must(t, signalled(&w.s.Stopnote) == c.woken, what+"s.Stopnote "+check.MustIf(c.woken)+" be signalled")
		check.Want(t, what+"M0.P", check.PName(w.m0.P.Get()), "nil")
		check.Want(t, what+"the state of G1", check.State(w.g1), "syscall")
	}
}

// monitor checks who wakes the monitor, and when.
func monitor(t *check.T) {
	for _, asleep := range []bool{true, false} {
		for _, c := range []struct {
			what  string
			idle  bool
			do    func(w *world)
			wakes bool
		}{
			{"Entersyscall", false, func(w *world) { w.calls.Entersyscall(w.m0, w.g1) }, true},
			{"ExitsyscallPidle, which gets a P,", true, func(w *world) { w.returned(); w.calls.ExitsyscallPidle(w.m0) }, true},
			{"ExitsyscallPidle, which gets no P,", false, func(w *world) { w.returned(); w.calls.ExitsyscallPidle(w.m0) }, false},
			{"ExitsyscallNoP, which gets a P after all,", true, func(w *world) { w.returned(); w.calls.ExitsyscallNoP(w.m0, w.g1) }, true},
			{"ExitsyscallNoP, which gets no P,", false, func(w *world) { w.returned(); w.calls.ExitsyscallNoP(w.m0, w.g1) }, false},
		} {
			w := newWorld(t, 3)
			if c.idle {
				w.idle(1)
			}
			w.s.Sysmonwait.Store(asleep)
			c.do(w)
			check.WantUnlocked(t, w.s, c.what)
			before := fmt.Sprintf("s.Sysmonwait is %v; after %s ", asleep, c.what)
			wakes := asleep && c.wakes
			check.Must(t, signalled(&w.s.Sysmonnote) == wakes, before+"s.Sysmonnote "+check.MustIf(wakes)+" be signalled")
			check.Want(t, before+"s.Sysmonwait", w.s.Sysmonwait.Load(), asleep && !c.wakes)
		}
	}
}

// block checks a call that is known to block.
func block(t *check.T) {
	w := newWorld(t, 2)
	w.on("Handoffp", func(c *check.Call) {
		check.Want(t, "when Entersyscallblock calls Handoffp, its P", check.PName(check.Arg[*gmp.P](c.Call)), "P0")
		check.Want(t, "when Entersyscallblock calls Handoffp, the state of P0", check.PState(w.p0), "idle")
		check.Want(t, "when Entersyscallblock calls Handoffp, P0.M", check.MName(w.p0.M.Get()), "nil")
		check.Want(t, "when Entersyscallblock calls Handoffp, P0.Syscalltick, which is not M0's to raise later,", w.p0.Syscalltick.Get(), 8)
	})
	w.on("Casgstatus", func(c *check.Call) { w.wantNoted("Entersyscallblock") })
	w.calls.Entersyscallblock(w.m0, w.g1)
	check.WantUnlocked(t, w.s, "Entersyscallblock")
	check.Want(t, "after Entersyscallblock(M0, G1) M0.Syscalltick, which was P0's,", w.m0.Syscalltick.Get(), 7)
	w.only("Entersyscallblock", "Handoffp", "the call is known to block, so P0 is needed elsewhere now")
	const after = "after Entersyscallblock(M0, G1) "
	check.Want(t, after+"the state of G1", check.State(w.g1), "syscall")
	check.Want(t, after+"G1.SyscallPC", w.g1.SyscallPC.Get(), machine.PC(pc))
	check.Want(t, after+"G1.SyscallSP", w.g1.SyscallSP.Get(), machine.Addr(sp))
	check.Want(t, after+"M0.P", check.PName(w.m0.P.Get()), "nil")
	check.Want(t, after+"M0.Oldp, since P0 is not left behind but given away,", check.PName(w.m0.Oldp.Get()), "nil")
	check.Want(t, after+"M0.Curg", check.Name(w.m0.Curg.Get()), "G1")
}

// exitOwn checks the return to a P that no M has taken.
func exitOwn(t *check.T) {
	for _, asked := range []bool{false, true} {
		w := newWorld(t, 2)
		w.inCall()
		w.g1.Preempt.Set(asked)
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
		if n := len(w.Of("Schedule", "Globrunqput", "Execute", "Stopm")); n > 0 {
			t.Errorf("no M has taken P0, and Exitsyscall does not just go on with G1: it calls the scheduler")
		}
		switch g := w.g1.Sched.Guard.Load(); {
		case asked && g != machine.StackPreempt:
			t.Errorf("G1 was asked to stop while it was in its call (Preempt is true), and after Exitsyscall(M0, G1) its guard, G1.Sched.Guard, is not machine.StackPreempt: no prologue will find the request")
		case !asked && g == machine.StackPreempt:
			t.Errorf("G1 was not asked to stop (Preempt is false), and after Exitsyscall(M0, G1) its guard, G1.Sched.Guard, is machine.StackPreempt: it stops for nobody")
		case !asked && g != guard:
			t.Errorf("G1 was not asked to stop (Preempt is false), and Exitsyscall(M0, G1) has changed its guard, G1.Sched.Guard; want it as it was")
		}
	}

	last := newWorld(t, 2)
	last.inCall()
	last.m0.Oldp.Set(nil)
	check.Want(t, "no M has taken P0, and M0.Oldp is nil by now; the result of ExitsyscallFast(M0, P0), which is told the old P,", last.calls.ExitsyscallFast(last.m0, last.p0), true)
	check.Want(t, "no M has taken P0, and M0.Oldp is nil by now; after ExitsyscallFast(M0, P0) M0.P", check.PName(last.m0.P.Get()), "P0")
	w := newWorld(t, 2)
	n := w.Acquisitions(t, func() {
		w.calls.Entersyscall(w.m0, w.g1)
		w.calls.Exitsyscall(w.m0, w.g1)
	})
	check.WantTimes(t, "in a call that no other M disturbs, Entersyscall and Exitsyscall together take s.Lock", int(n), 0)
}

// exitIdle checks the return to another P.
func exitIdle(t *check.T) {
	for _, c := range []struct {
		what   string
		happen func(w *world)
	}{
		{"another M runs with P0", func(w *world) { check.Holding(&gmp.M{ID: 1}, w.p0) }},
		{"P0 is in the hands of the monitor", func(w *world) { w.p0.Status.Store(gmp.Pidle) }},
		{"P0 was stopped, for a world that is to stop,", func(w *world) { w.p0.Status.Store(gmp.Pgcstop) }},
		{"there is one P less, and P0 is dead,", func(w *world) { w.p0.Status.Store(gmp.Pdead) }},
		{"M0 has handed off its P, so Oldp is nil,", func(w *world) { w.m0.Oldp.Set(nil) }},
	} {
		w := newWorld(t, 3)
		w.inCall()
		c.happen(w)
		state := w.p0.Status.Load()
		p1 := w.idle(1)
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
		fast := w.calls.ExitsyscallFast(w.m0, w.m0.Oldp.Get())
		what = c.what + " and no P is idle; "
		check.Want(t, what+"the result of ExitsyscallFast", fast, false)
		check.Want(t, what+"after ExitsyscallFast M0.P", check.PName(w.m0.P.Get()), "nil")
		check.Want(t, what+"after ExitsyscallFast the state of G1", check.State(w.g1), "syscall")
	}
	w := newWorld(t, 3)
	w.inCall()
	w.p0.Status.Store(gmp.Pgcstop)
	n := w.Acquisitions(t, func() { w.calls.ExitsyscallFast(w.m0, w.p0) })
	check.WantTimes(t, "P0 is gone, and s.Npidle is 0; ExitsyscallFast takes s.Lock", int(n), 0)
	w = newWorld(t, 3)
	w.inCall()
	check.Want(t, "no P is idle; the result of ExitsyscallPidle", w.calls.ExitsyscallPidle(w.m0), false)
	w.idle(2)
	check.Want(t, "P2 is idle; the result of ExitsyscallPidle", w.calls.ExitsyscallPidle(w.m0), true)
	check.Want(t, "P2 is idle; after ExitsyscallPidle M0.P", check.PName(w.m0.P.Get()), "P2")
}

// exitNone checks the return when there is no P.
func exitNone(t *check.T) {
	for _, locked := range []bool{false, true} {
		w := newWorld(t, 2)
		w.inCall()
		w.lost(gmp.Prunning)
		want := "Stopm, Schedule"
		if locked {
			lock(w.m0, w.g1)
			want = "Stoplockedm, Execute"
			w.on("Stoplockedm", func(*check.Call) { check.Holding(w.m0, w.p0) })
		}
		what := fmt.Sprintf("there is no P for M0, and G1 is locked to it: %v; ", locked)
		w.on("Globrunqput", func(c *check.Call) {
			check.Want(t, what+"when G1 is queued (Globrunqput) its state", check.State(c.G), "runnable")
			check.Must(t, c.Free, what+"when G1 is queued (Globrunqput), it must be linked to no M")
			check.Want(t, what+"when G1 is queued (Globrunqput) its SyscallSP", c.G.SyscallSP.Get(), 0)
			if len(w.Of("Pidleget")) == 0 || w.s.Npidle.Load() > 0 {
				t.Errorf("%sG1 is queued before a last look for an idle P (Pidleget), under the same s.Lock; a P that has become idle meanwhile would stay so", what)
			}
		})
		w.calls.Exitsyscall(w.m0, w.g1)
		check.WantUnlocked(t, w.s, "Exitsyscall")
		w.only("Exitsyscall", "Globrunqput", "without a P G1 waits where another M finds it")
		check.Want(t, what+"what Exitsyscall calls then", w.order("Stopm", "Schedule", "Stoplockedm", "Execute"), want)
		check.Want(t, what+"after Exitsyscall M0.Oldp", check.PName(w.m0.Oldp.Get()), "nil")
		if locked {
			check.Want(t, what+"the G that M0 executes", check.Name(w.m0.Curg.Get()), "G1")
			check.Must(t, !check.Arg[bool](w.Of("Execute")[0].Call), what+"G1 must not inherit a time slice")
		}
	}

	w := newWorld(t, 3)
	w.returned()
	w.idle(1)
	w.calls.ExitsyscallNoP(w.m0, w.g1)
	check.WantUnlocked(t, w.s, "ExitsyscallNoP")
	const late = "P1 has become idle in the last moment; after ExitsyscallNoP(M0, G1) "
	check.Want(t, late+"M0.P", check.PName(w.m0.P.Get()), "P1")
	check.Want(t, late+"M0.Curg", check.Name(w.m0.Curg.Get()), "G1")
	check.Want(t, late+"the state of G1", check.State(w.g1), "running")
	check.Want(t, late+"G1.SyscallSP", w.g1.SyscallSP.Get(), 0)
	check.Want(t, late+"the number of Gs on the global queue", w.s.Runq.Get().Size, 0)
	check.Want(t, late+"what else was called", w.order("Stopm", "Schedule", "Stoplockedm"), "nothing")
	check.Must(t, !check.Arg[bool](w.only("ExitsyscallNoP", "Execute", "G1 can run").Call), late+"G1 must not inherit a time slice")
}
