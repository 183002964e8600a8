package ch14

import (
	"fmt"

	"gosched/chapters/check"
	"gosched/chapters/gmp"
	"gosched/chapters/machine"
)

// park checks how a G stops for whoever suspends it.
func park(t *check.T) {
	w := newWorld(t)
	w.gp.PreemptStop.Set(true)
	dropped, scheduled := "", ""
	w.sees["Schedule"] = func() {
		scheduled = check.State(w.gp)
		if w.gp.M.Get() == nil && w.m0.Curg.Get() == nil {
			dropped = "yes"
		}
	}
	linked := ""
	w.sees["CasGToPreemptScan"] = func() { linked = check.MName(w.gp.M.Get()) }
	locked := ""
	w.sees["CasfromGscanstatus"] = func() { locked = check.State(w.gp) + " on " + check.MName(w.gp.M.Get()) }
	w.skips("Schedule")
	w.s.PreemptPark(w.m0, w.gp)
	check.Want(t, "as long as G1 is running, its M", linked, "M0")
	check.Want(t, "when PreemptPark unlocks the state of G1, that, and its M, which has let go of it,", locked, is(gmp.Gpreempted|gmp.Gscan)+" on "+check.MName(nil))
	check.Want(t, "how often PreemptPark(M0, G1) calls Schedule", len(w.Of("Schedule")), 1)
	check.Want(t, "the state of G1 when M0 schedules", scheduled, is(gmp.Gpreempted))
	check.Want(t, "whether M0 and G1 have let go of each other by then", dropped, "yes")
	w = newWorld(t)
	w.gp.Atomicstatus.Store(gmp.Gwaiting)
	w.skips("Schedule")
	check.Want(t, "G1 waits; what PreemptPark(M0, G1) throws", check.Thrown(t.Throws(func() { w.s.PreemptPark(w.m0, w.gp) })), check.Thrown("bad g status"))
}

// suspend checks SuspendG of a G that has stopped already.
func suspend(t *check.T) {
	for _, st := range []uint32{gmp.Grunnable, gmp.Gsyscall, gmp.Gwaiting, gmp.Gpreempted, gmp.Gdead} {
		w := newWorld(t)
		w.s.Dropg(w.m0)
		w.gp.Atomicstatus.Store(st)
		w.gp.Ask()
		w.gp.PreemptStop.Set(true)
		got := w.s.SuspendG(w.m1, w.gp)
		what := fmt.Sprintf("G1 is %s; after SuspendG(M1, G1) ", is(st))
		want := gmp.SuspendGState{G: w.gp, Stopped: st == gmp.Gpreempted}
		state := st | gmp.Gscan
		switch st {
		case gmp.Gpreempted:
			state = gmp.Gwaiting | gmp.Gscan
		case gmp.Gdead:
			want, state = gmp.SuspendGState{Dead: true}, st
		}
		check.Want(t, what+"the G of the result", check.Name(got.G), check.Name(want.G))
		check.Want(t, what+"Dead", got.Dead, want.Dead)
		check.Want(t, what+"Stopped", got.Stopped, want.Stopped)
		check.Want(t, what+"the state of G1", check.State(w.gp), is(state))
		check.Want(t, what+"how many signals were sent", len(w.Of("PreemptM")), 0)
		if st != gmp.Gdead {
			check.Want(t, what+"G1.PreemptStop", w.gp.PreemptStop.Get(), false)
			check.Want(t, what+"G1.Preempt", w.gp.Preempt.Get(), false)
			check.Want(t, what+"whether the guard of G1 is Stack.Lo + StackGuard", w.gp.Sched.Guard.Load() == w.guard(), true)
		}
	}
	w := newWorld(t)
	check.Want(t, "M0 runs G1; what SuspendG(M0, another G) throws", check.Thrown(t.Throws(func() { w.s.SuspendG(w.m0, w.gp) })), check.Thrown("suspendG from non-preemptible goroutine"))
}

// suspendRunning checks SuspendG of a G that runs, and does not stop at the first signal.
func suspendRunning(t *check.T) {
	w := newWorld(t)
	signals, story := 0, ""
	w.sees["PreemptM"] = func() {
		signals++
		story += fmt.Sprintf("; signal %d", signals)
		check.Want(t, "when SuspendG sends a signal, G1.PreemptStop", w.gp.PreemptStop.Get(), true)
		check.Want(t, "when SuspendG sends a signal, G1.Preempt", w.gp.Preempt.Get(), true)
		check.Want(t, "when SuspendG sends a signal, whether the guard of G1 is StackPreempt", w.gp.Sched.Guard.Load() == machine.StackPreempt, true)
		check.Want(t, "when SuspendG sends a signal, the state of G1, whose scan bit may be in the way on M0,", check.State(w.gp), is(gmp.Grunning))
		switch signals {
		case 1: // answered, at an unsafe point
			w.m0.PreemptGen.Add(1)
		case 2: // answered, after the request was taken away
			w.gp.Preempt.Set(false)
			w.gp.Sched.Guard.Store(w.guard())
		case 3: // G1 stops
			w.gp.Atomicstatus.Store(gmp.Gpreempted)
		default:
			t.Fatalf("SuspendG has sent a fourth signal%s", story)
		}
	}
	w.skips("PreemptM")
	got := w.s.SuspendG(w.m1, w.gp)
	check.Want(t, "G1 runs; it answers the first signal and does not stop, loses the request after the second, and stops at the third; signals that SuspendG has sent", signals, 3)
	check.Want(t, "after that Stopped in the result of SuspendG", got.Stopped, true)
}

// resume checks that what was suspended goes on.
func resume(t *check.T) {
	for _, st := range []uint32{gmp.Grunnable, gmp.Gsyscall, gmp.Gwaiting} {
		for _, stopped := range []bool{false, true} {
			if stopped && st != gmp.Gwaiting {
				continue
			}
			w := newWorld(t)
			w.s.Dropg(w.m0)
			w.gp.Atomicstatus.Store(st | gmp.Gscan)
			state := ""
			w.sees["Ready"] = func() { state = check.State(w.gp) }
			w.skips("Ready")
			w.s.ResumeG(w.m1, gmp.SuspendGState{G: w.gp, Stopped: stopped})
			what := fmt.Sprintf("G1 is %s, and Stopped is %v; ", is(st|gmp.Gscan), stopped)
			check.Want(t, what+"after ResumeG the state of G1", check.State(w.gp), is(st))
			ready := w.Of("Ready")
			check.Want(t, what+"whether ResumeG makes it ready", len(ready) == 1, stopped)
			if stopped && len(ready) == 1 {
				check.Want(t, what+"the state in which it is made ready", state, is(st))
				check.Want(t, what+"whether it is to run next", check.Arg[bool](ready[0].Call), true)
			}
		}
	}
	w := newWorld(t)
	w.s.ResumeG(w.m1, gmp.SuspendGState{Dead: true})
	check.Want(t, "G1 runs without the scan bit; what ResumeG throws", check.Thrown(t.Throws(func() { w.s.ResumeG(w.m1, gmp.SuspendGState{G: w.gp}) })), check.Thrown("unexpected g status"))
}
