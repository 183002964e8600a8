package ch13

import (
	"fmt"

	"gosched/chapters/check"
	"gosched/chapters/gmp"
	"gosched/chapters/machine"
)

// grow checks that a stack which is too small is replaced by one of twice the size.
func grow(t *check.T) {
	for _, size := range []uint64{2048, 4096, 16384} {
		w := newWorld(t, size)
		used := machine.Addr(size) - 100
		used -= used % 8
		w.atPrologue(0, used)
		old := w.gp.Stack.Get()
		state := ""
		w.sees["Copystack"] = func() { state = check.State(w.gp) }
		w.s.Newstack(w.m0, w.gp)
		what := fmt.Sprintf("Newstack of G1, with a stack of %s of which %d bytes are in use; after it", sizeName(size), used)
		check.Want(t, what+" the size of the stack in bytes", w.size(), 2*size)
		if t.Failed() {
			return
		}
		check.Want(t, what+" the number of calls of Copystack", len(w.Of("Copystack")), 1)
		check.Want(t, "while G1's stack is copied, the state of G1", state, "copystack")
		check.Want(t, what+" the state of G1", check.State(w.gp), "running")
		check.Want(t, what+" M0.Curg, which goes on,", check.Name(w.m0.Curg.Get()), "G1")
		check.Want(t, what+" G1.Sched.PC, at which the prologue runs again,", w.gp.Sched.PC, 0)
		w.moved(what, used)
		w.guarded(what)
		w.freedOnce(what, old)
		if n := len(w.Of("GoschedImpl")); n > 0 {
			t.Errorf("Newstack of G1, which was not asked to stop, called GoschedImpl; it must go on at once")
		}
	}
}

// growFit checks that a large frame gets room for it in one step.
func growFit(t *check.T) {
	for _, c := range []struct {
		size uint64
		used machine.Addr
		want uint64
	}{
		{2048, 1000, 16384}, // a frame of 12,000 bytes
		{16384, 4400, 32768},
		{8192, 4000, 16384},
		{8192, 4320, 16384}, // 64 bytes are left: StackGuard
		{8192, 4328, 32768},
	} {
		w := newWorld(t, c.size)
		w.atPrologue(bigEntry, c.used)
		w.s.Newstack(w.m0, w.gp)
		what := fmt.Sprintf("G1 uses %d bytes of a stack of %s and wants a frame of %d; after Newstack", c.used, sizeName(c.size), 8*bigFrame)
		if n := len(w.Of("Copystack")); n != 1 {
			t.Errorf("%s the stack was copied %d times; want once, to one that is large enough", what, n)
		}
		check.Want(t, what+" the size of the stack in bytes", w.size(), c.want)
	}
}

// growLimit checks the end of a recursion that does not end.
func growLimit(t *check.T) {
	w := newWorld(t, 65536)
	used := machine.Addr(65536 - 104)
	w.atPrologue(0, used)
	sp, st := w.gp.Sched.SP, w.gp.Stack.Get()
	msg := t.Throws(func() { w.s.Newstack(w.m0, w.gp) })
	what := fmt.Sprintf("G1 needs more than its 64 KiB of stack, and the limit is %d bytes;", limit)
	check.WantThrow(t, what+" Newstack", check.Thrown(msg), check.Thrown("stack overflow"))
	check.Want(t, what+" standard error", w.stderr.String(),
		fmt.Sprintf("runtime: goroutine stack exceeds %d-byte limit\nruntime: sp=%#x stack=[%#x, %#x]\n", limit, uint64(sp), uint64(st.Lo), uint64(st.Hi)))
	check.Want(t, what+" the state of G1 in the report", check.State(w.gp), "running")
	if n := len(w.Of("Copystack")); n > 0 {
		t.Errorf("%s and Newstack calls Copystack before it looks at the limit", what)
	}

	for _, limit := range []uint64{limit, 65536} {
		w = newWorldWithin(t, 32768, limit)
		w.atPrologue(0, 32768-104)
		msg = t.Throws(func() { w.s.Newstack(w.m0, w.gp) })
		check.WantThrow(t, fmt.Sprintf("G1 needs more than its 32 KiB, and the limit is %d bytes; Newstack", limit), check.Thrown(msg), "nothing")
	}
}

// asked lets G1 stand at a prologue with a request to stop.
func asked(t *check.T, size uint64) *world {
	w := newWorld(t, size)
	w.atPrologue(0, 256)
	w.gp.Ask()
	for _, method := range []string{"GoschedImpl", "PreemptPark"} {
		w.skip[method] = true
	}
	return w
}

// preempt checks that a G that was asked to stop stops.
func preempt(t *check.T) {
	w := asked(t, 4096)
	st := w.gp.Stack.Get()
	w.s.Newstack(w.m0, w.gp)
	calls := w.Of("GoschedImpl")
	if len(calls) != 1 {
		t.Fatalf("G1 was asked to stop (StackPreempt is in its guard), and Newstack called GoschedImpl %d times; want once", len(calls))
	}
	check.Want(t, "what GoschedImpl was told of G1, which did not ask for it: preempted", check.Arg[bool](calls[0].Call), true)
	check.Want(t, "the state of G1 in which GoschedImpl was called", gmp.StatusName(calls[0].Status), "running")
	check.Want(t, "the stack of G1, which needs no room to stop,", w.gp.Stack.Get(), st)

	w = asked(t, 2048)
	w.atPrologue(0, 1960)
	w.s.Newstack(w.m0, w.gp)
	check.Want(t, "G1 was asked to stop, and its stack is too small as well; how often Newstack called GoschedImpl", len(w.Of("GoschedImpl")), 1)
	check.Want(t, "G1 was asked to stop, and its stack is too small as well, which is seen when it goes on; the size of the stack", w.size(), 2048)
}

// notNow checks that a G that cannot be stopped now goes on.
func notNow(t *check.T) {
	for _, c := range []struct {
		why    string
		locked int32
		status uint32
	}{
		{"M0.Locks is 1", 1, gmp.Prunning},
		{"P0 is being stopped for the collector", 0, gmp.Pgcstop},
	} {
		w := asked(t, 4096)
		w.m0.Locks.Set(c.locked)
		w.p0.Status.Store(c.status)
		w.s.Newstack(w.m0, w.gp)
		what := fmt.Sprintf("G1 was asked to stop, but %s; after Newstack", c.why)
		check.Want(t, what+" the number of calls of GoschedImpl", len(w.Of("GoschedImpl")), 0)
		check.Want(t, what+" M0.Curg, which goes on,", check.Name(w.m0.Curg.Get()), "G1")
		check.Want(t, what+" G1.Preempt, by which the request is remembered,", w.gp.Preempt.Get(), true)
		check.Want(t, what+" the size of the stack, which was large enough,", w.size(), 4096)
		w.guarded(what)
	}
}

// canPreempt checks when an M may be interrupted.
func canPreempt(t *check.T) {
	for _, c := range []struct {
		locks  int32
		status uint32
		want   bool
	}{
		{0, gmp.Prunning, true},
		{1, gmp.Prunning, false},
		{3, gmp.Prunning, false},
		{0, gmp.Pgcstop, false},
		{0, gmp.Psyscall, false},
		{0, gmp.Pidle, false},
		{2, gmp.Pgcstop, false},
	} {
		w := newWorld(t, 2048)
		w.m0.Locks.Set(c.locks)
		w.p0.Status.Store(c.status)
		check.Want(t, fmt.Sprintf("with M0.Locks %d and P0 %s, CanPreemptM", c.locks, check.PState(w.p0)), w.s.CanPreemptM(w.m0), c.want)
	}
}

// preemptStop checks which way a G stops for one that wants to look at its stack.
func preemptStop(t *check.T) {
	w := asked(t, 2048)
	w.s.Signals = nobody{}
	w.Tape = check.NewTape(w.s)
	w.Before = func(c *check.Call) bool { return !w.skip[c.Method] }
	w.gp.PreemptStop.Set(true)
	w.gp.PreemptShrink.Set(true)
	w.skip["Shrinkstack"] = true
	w.s.Newstack(w.m0, w.gp)
	check.Want(t, "G1 was asked to stop, with PreemptStop and PreemptShrink set; how often Newstack called Shrinkstack", len(w.Of("Shrinkstack")), 1)
	what := "G1 was asked to stop, and PreemptStop is set; how often Newstack called"
	check.Want(t, what+" PreemptPark", len(w.Of("PreemptPark")), 1)
	check.Want(t, what+" GoschedImpl", len(w.Of("GoschedImpl")), 0)

	w = asked(t, 2048)
	w.s.Signals = nobody{}
	w.Tape = check.NewTape(w.s)
	w.Before = func(c *check.Call) bool { return !w.skip[c.Method] }
	w.gp.PreemptStop.Set(true)
	w.m0.Locks.Set(1)
	w.s.Newstack(w.m0, w.gp)
	check.Want(t, "G1 was asked to stop, PreemptStop is set, and M0.Locks is 1; how often Newstack called PreemptPark", len(w.Of("PreemptPark")), 0)
}

// nobody stands for the Signals of chapter 14, which the version of this chapter does not have.
type nobody struct{ gmp.Signals }

// preemptShrink checks that a G shrinks its own stack when it stops.
func preemptShrink(t *check.T) {
	w := asked(t, 8192)
	w.gp.PreemptShrink.Set(true)
	order := ""
	w.sees["Shrinkstack"] = func() { order += "Shrinkstack " }
	w.sees["GoschedImpl"] = func() { order += "GoschedImpl " }
	w.s.Newstack(w.m0, w.gp)
	check.Want(t, "G1 was asked to stop and to shrink its stack; what Newstack calls", order, "Shrinkstack GoschedImpl ")
	check.Want(t, "G1 was asked to stop and to shrink its stack; after Newstack G1.PreemptShrink", w.gp.PreemptShrink.Get(), false)
	check.Want(t, "G1 was asked to stop and to shrink its stack; after Newstack the size of that, of which it uses 256 bytes,", w.size(), 4096)

	w = asked(t, 8192)
	w.gp.PreemptShrink.Set(true)
	w.m0.Locks.Set(1)
	w.s.Newstack(w.m0, w.gp)
	check.Want(t, "G1 was asked to stop and to shrink its stack, and M0.Locks is 1; how often Newstack called Shrinkstack", len(w.Of("Shrinkstack")), 0)
	check.Want(t, "G1 was asked to stop and to shrink its stack, and M0.Locks is 1; after Newstack G1.PreemptShrink, which is still to be done,", w.gp.PreemptShrink.Get(), true)

	w = asked(t, 8192)
	w.s.Newstack(w.m0, w.gp)
	check.Want(t, "G1 was asked to stop, and not to shrink its stack; how often Newstack called Shrinkstack", len(w.Of("Shrinkstack")), 0)
}

// forceMove checks that a test can have the stack moved.
func forceMove(t *check.T) {
	w := newWorld(t, 4096)
	w.atPrologue(0, 512)
	old := w.gp.Stack.Get()
	w.gp.Sched.Guard.Store(machine.StackForceMove)
	w.s.Newstack(w.m0, w.gp)
	what := "G1's stack is to move (StackForceMove is in its guard); after Newstack"
	check.Want(t, what+" its size in bytes", w.size(), 4096)
	w.freedOnce(what, old)
	w.moved(what, 512)
	w.guarded(what)
	check.Want(t, what+" the number of calls of GoschedImpl", len(w.Of("GoschedImpl")), 0)
}
