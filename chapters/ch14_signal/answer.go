package ch14

import (
	"fmt"

	"gosched/chapters/check"
	"gosched/chapters/gmp"
	"gosched/chapters/machine"
)

// send checks that a signal is sent, once.
func send(t *check.T) {
	w := newWorld(t)
	sent := func() bool { return w.m0.Thread.Signal.Clear() }
	w.s.PreemptM(w.m1, w.m0)
	check.Want(t, "after PreemptM(M1, M0) M0.SignalPending", w.m0.SignalPending.Load(), 1)
	check.Must(t, sent(), "after PreemptM(M1, M0), the signal of M0's thread must be pending")
	check.Must(t, !w.m1.Thread.Signal.Clear(), "after PreemptM(M1, M0), the signal of M1's thread must not be pending")
	w.s.PreemptM(w.m1, w.m0)
	check.Must(t, !sent(), "a signal was sent to M0 and not answered; PreemptM(M1, M0) must not send another one")
	w.m0.SignalPending.Store(0)
	w.s.PreemptM(w.m1, w.m0)
	check.Must(t, sent(), "the signal was answered (SignalPending is 0); PreemptM(M1, M0) must send another one")

	w = newWorldOf(t, gmp.Options{AsyncPreemptOff: true})
	w.s.PreemptM(w.m1, w.m0)
	check.Must(t, !sent(), "signals are off; PreemptM(M1, M0) must not send one")
	check.Want(t, "signals are off; after PreemptM(M1, M0) M0.SignalPending", w.m0.SignalPending.Load(), 0)
}

// want checks which G is to stop.
func want(t *check.T) {
	for _, st := range []uint32{gmp.Grunning, gmp.Gsyscall} {
		for _, bit := range []uint32{0, gmp.Gscan} {
			for _, g := range []bool{false, true} {
				for _, p := range []string{"P0.Preempt is not set", "P0.Preempt is set", "M0 has no P"} {
					w := newWorld(t)
					w.gp.Atomicstatus.Store(st | bit)
					w.gp.Preempt.Set(g)
					w.p0.Preempt.Set(p == "P0.Preempt is set")
					if p == "M0 has no P" {
						w.m0.P.Set(nil)
						w.p0.Preempt.Set(true)
					}
					asked := g || p == "P0.Preempt is set"
					check.Want(t, fmt.Sprintf("G1 is %s, G1.Preempt is %v, and %s; WantAsyncPreempt(G1)", is(st|bit), g, p),
						w.s.WantAsyncPreempt(w.gp), asked && st == gmp.Grunning)
				}
			}
		}
	}
}

// safe checks where a G may be stopped.
func safe(t *check.T) {
	ask := func(what string, want bool, change func(w *world)) {
		t.Helper()
		w := newWorld(t)
		change(w)
		check.Want(t, what+"; IsAsyncSafePoint(G1, its pc)", w.s.IsAsyncSafePoint(w.gp, w.gp.Sched.At()), want)
	}
	ask("G1 runs on M0, which has a P, and stands between two instructions", true, func(w *world) {})
	ask("M0 has no P", false, func(w *world) { w.m0.P.Set(nil) })
	ask("M0.Locks is 1", false, func(w *world) { w.m0.Locks.Set(1) })
	ask("P0 was taken away: it is Psyscall", false, func(w *world) { w.p0.Status.Store(gmp.Psyscall) })
	ask("G1 is in a raw system call, and counts as running", false, func(w *world) {
		w.gp.Sched.PC, w.gp.Sched.Trap = safePC+1, machine.TrapRawSyscall
	})
	ask("the compiler has marked G1's pc", false, func(w *world) { w.gp.Sched.PC = unsafePC })
	ask("G1's pc is in no function", false, func(w *world) { w.gp.Sched.PC = 1000 })
	ask("G1 stands at the prologue of a function", true, func(w *world) { w.gp.Sched.PC = 0 })
	ask("G1's stack is nearly full", true, func(w *world) { w.gp.Sched.SP = w.gp.Stack.Get().Lo + gmp.StackGuard })
}

// answer checks what is done about a signal.
func answer(t *check.T) {
	for _, c := range []struct {
		what  string
		stops bool
		set   func(w *world)
	}{
		{"G1 was asked to stop", true, func(w *world) { w.gp.Ask() }},
		{"P0 was asked to stop", true, func(w *world) { w.p0.Preempt.Set(true) }},
		{"nobody has asked G1 to stop", false, func(w *world) {}},
		{"G1 was asked to stop, and stands at an unsafe point", false, func(w *world) { w.gp.Ask(); w.gp.Sched.PC = unsafePC }},
		{"P0 was asked to stop, and G1 stands at an unsafe point", false, func(w *world) { w.p0.Preempt.Set(true); w.gp.Sched.PC = unsafePC }},
		{"G1 was asked to stop, and is in a system call", false, func(w *world) {
			w.gp.Ask()
			w.gp.Sched.Trap = machine.TrapSyscall
			w.gp.Atomicstatus.Store(gmp.Gsyscall)
		}},
	} {
		w := newWorld(t)
		c.set(w)
		w.m0.SignalPending.Store(1)
		w.m0.PreemptGen.Store(7)
		early := false
		w.sees["Asyncpreempt2"] = func() {
			early = w.m0.SignalPending.Load() != 0 || w.m0.PreemptGen.Load() != 8
			w.gp.Ask() // G1 runs elsewhere by then, and is asked there
			w.p0.Preempt.Set(true)
		}
		request := func() string {
			return fmt.Sprintf("%v, %v, and %v", w.gp.Preempt.Get(), w.gp.Sched.Guard.Load() == machine.StackPreempt, w.p0.Preempt.Get())
		}
		asked := request()
		w.skips("Asyncpreempt2", "PreemptPark", "GoschedImpl")
		w.s.DoSigPreempt(w.m0, w.gp)
		what := c.what + "; after DoSigPreempt(M0, G1)"
		check.Want(t, what+" M0.SignalPending", w.m0.SignalPending.Load(), 0)
		check.Want(t, what+" M0.PreemptGen, which was 7,", w.m0.PreemptGen.Load(), 8)
		check.Must(t, (len(w.Of("Asyncpreempt2")) == 1) == c.stops, c.what+"; DoSigPreempt(M0, G1) "+check.MustIf(c.stops)+" call Asyncpreempt2")
		if c.stops {
			asked = "true, true, and true"
			what += ", in which G1 began to run elsewhere and was asked once more"
		}
		check.Want(t, what+", which takes no request away, the list of requests (G1.Preempt, the guard, P0.Preempt)", request(), asked)
		if early {
			t.Errorf("%s; DoSigPreempt(M0, G1) calls Asyncpreempt2 before the signal is answered: that comes back when M0 runs another G", c.what)
		}
	}
}

// stop checks how a G is stopped between two instructions.
func stop(t *check.T) {
	for _, park := range []bool{false, true} {
		w := newWorld(t)
		w.gp.Ask()
		w.gp.PreemptStop.Set(park)
		way, other := "GoschedImpl", "PreemptPark"
		if park {
			way, other = other, way
		}
		said, cont := false, false
		w.sees[way] = func() { said, cont = w.gp.AsyncSafe.Get(), w.gp.Cont.Get() != nil }
		w.skips(way, other)
		w.s.Asyncpreempt2(w.m0, w.gp)
		what := fmt.Sprintf("G1.PreemptStop is %v; ", park)
		check.Want(t, what+"how often Asyncpreempt2 calls "+way, len(w.Of(way)), 1)
		check.Want(t, what+"how often it calls "+other, len(w.Of(other)), 0)
		check.Want(t, what+"when it does, G1.AsyncSafe", said, true)
		check.Must(t, cont, what+"when it does, G1.Cont must be set")
		if t.Failed() {
			return
		}
		if !park {
			check.Want(t, "what GoschedImpl was told of G1, which did not ask for it: preempted", check.Arg[bool](w.Of(way)[0].Call), true)
		}
		w.gp.Cont.Get()(w.s, w.m0, w.gp)
		check.Want(t, "G1 goes on, and its Cont was called; G1.AsyncSafe", w.gp.AsyncSafe.Get(), false)
	}
}
