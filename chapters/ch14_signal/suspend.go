package ch14

import (
	"fmt"

	"gosched/chapters/check"
	"gosched/chapters/gmp"
	"gosched/chapters/machine"
	"gosched/chapters/machine/explore"
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
	locked, curg := "", ""
	w.sees["CasfromGscanstatus"] = func() {
		locked = check.State(w.gp) + " on " + check.MName(w.gp.M.Get())
		curg = check.Name(w.m0.Curg.Get())
	}
	w.skips("Schedule")
	w.s.PreemptPark(w.m0, w.gp)
	check.Want(t, "as long as G1 is running, its M", linked, "M0")
	check.Want(t, "when PreemptPark unlocks the state of G1, that, and its M, which has let go of it,", locked, is(gmp.Gpreempted|gmp.Gscan)+" on "+check.MName(nil))
	check.Want(t, "when PreemptPark unlocks the state of G1, M0.Curg", curg, check.Name(nil))
	check.Want(t, "how often PreemptPark(M0, G1) calls Schedule", len(w.Of("Schedule")), 1)
	check.Want(t, "the state of G1 when M0 schedules", scheduled, is(gmp.Gpreempted))
	check.Must(t, dropped == "yes", "when M0 schedules, M0 and G1 must have let go of each other")
	for _, st := range []uint32{gmp.Grunnable, gmp.Gsyscall, gmp.Gwaiting, gmp.Gwaiting | gmp.Gscan} {
		w = newWorld(t)
		w.gp.Atomicstatus.Store(st)
		w.skips("Schedule", "CasGToPreemptScan", "CasfromGscanstatus")
		check.WantThrow(t, "G1 is "+is(st)+"; PreemptPark(M0, G1)", check.Thrown(t.Throws(func() { w.s.PreemptPark(w.m0, w.gp) })), check.Thrown("bad g status"))
	}
	w = newWorld(t)
	w.gp.Atomicstatus.Store(gmp.Grunning | gmp.Gscan)
	w.skips("Schedule", "CasGToPreemptScan", "CasfromGscanstatus")
	check.WantThrow(t, "G1 runs, and another M, which is about to ask it something, holds its scan bit; PreemptPark(M0, G1)", check.Thrown(t.Throws(func() { w.s.PreemptPark(w.m0, w.gp) })), check.Thrown(""))
}

// suspend checks SuspendG of a G that has stopped already.
func suspend(t *check.T) {
	for _, st := range []uint32{gmp.Grunnable, gmp.Gsyscall, gmp.Gwaiting, gmp.Gpreempted, gmp.Gdead} {
		w := newWorld(t)
		w.s.Dropg(w.m0)
		w.gp.Atomicstatus.Store(st)
		w.gp.Ask()
		w.gp.PreemptStop.Set(true)
		asked := true
		w.sees["Castogscanstatus"] = func() {
			asked = w.gp.PreemptStop.Get() && w.gp.Preempt.Get() && w.gp.Sched.Guard.Load() == machine.StackPreempt
		}
		got := w.s.SuspendG(w.m1, w.gp)
		check.Must(t, asked, "G1 is "+is(st)+", and may begin to run until SuspendG has its scan bit; it must still be asked to stop when SuspendG takes that")
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
			check.Must(t, w.gp.Sched.Guard.Load() == w.guard(), what+"the guard of G1 must be Stack.Lo + StackGuard")
		}
	}
	for _, st := range []uint32{gmp.Gidle, 5} { // no G has state 5
		w := newWorld(t)
		w.gp.Atomicstatus.Store(st)
		check.WantThrow(t, fmt.Sprintf("G1 is in state %d; SuspendG(M1, G1)", st), check.Thrown(t.Throws(func() { w.s.SuspendG(w.m1, w.gp) })), check.Thrown("invalid g status"))
	}
	for _, st := range []uint32{gmp.Gwaiting, gmp.Gsyscall} {
		w := newWorld(t)
		w.gp.Atomicstatus.Store(st)
		other := w.s.Malg(gmp.StartingStack)
		other.Atomicstatus.Store(gmp.Gdead)
		check.WantThrow(t, "M0's G1 is "+is(st)+", so that it can be suspended itself; SuspendG(M0, another G)", check.Thrown(t.Throws(func() { w.s.SuspendG(w.m0, other) })), check.Thrown(""))
	}
	w := newWorld(t)
	check.WantThrow(t, "M0 runs G1; SuspendG(M0, another G)", check.Thrown(t.Throws(func() { w.s.SuspendG(w.m0, w.gp) })), check.Thrown("suspendG from non-preemptible goroutine"))
}

// suspendRunning checks SuspendG of a G that runs, and stops only at the fifth signal. It plays
// one thread in a model, which sees that SuspendG waits for something that does not come.
func suspendRunning(t *check.T) {
	t.Explore(explore.Options{}, func(m *explore.Model) {
		w := newWorld(t)
		want := func(what string, got, want any) {
			if got != want {
				m.Errorf("%s is %v; want %v", what, got, want)
				m.FailNow()
			}
		}
		signals := 0
		w.sees["Castogscanstatus"] = func() {
			if signals == 0 {
				want("G1 runs, and nobody has asked it; before SuspendG has its scan bit, G1.PreemptStop", w.gp.PreemptStop.Get(), false)
				want("G1 runs, and nobody has asked it; before SuspendG has its scan bit, G1.Preempt", w.gp.Preempt.Get(), false)
			}
		}
		w.sees["PreemptM"] = func() {
			signals++
			what := fmt.Sprintf("when SuspendG sends signal %d, ", signals)
			want(what+"G1.PreemptStop", w.gp.PreemptStop.Get(), true)
			want(what+"G1.Preempt", w.gp.Preempt.Get(), true)
			want(what+"the guard of G1", check.Value(w.gp.Sched.Guard.Load()), "StackPreempt")
			want(what+"the state of G1, whose scan bit may be in the way on M0,", check.State(w.gp), is(gmp.Grunning))
			switch signals {
			case 1:
				m.Logf("M0 answers it, and G1 goes on: it stands at an unsafe point")
				w.m0.PreemptGen.Add(1)
			case 2:
				m.Logf("G1.Preempt is cleared")
				w.gp.Preempt.Set(false)
			case 3:
				m.Logf("the guard of G1 is set anew")
				w.gp.Sched.Guard.Store(w.guard())
			case 4:
				m.Logf("G1.PreemptStop is cleared")
				w.gp.PreemptStop.Set(false)
			case 5:
				m.Logf("G1 stops: it is preempted")
				w.gp.Atomicstatus.Store(gmp.Gpreempted)
			}
		}
		w.skips("PreemptM")
		m.Thread("M1", func() {
			got := w.s.SuspendG(w.m1, w.gp)
			want("G1 stops at the fifth signal; how many SuspendG has sent", signals, 5)
			want("Stopped in the result of SuspendG", got.Stopped, true)
		})
	})
}

// suspendOver checks SuspendG of a G that runs, and never stops, since the program ends.
func suspendOver(t *check.T) {
	t.Explore(explore.Options{}, func(m *explore.Model) {
		w := newWorld(t)
		w.sees["PreemptM"] = func() {
			m.Logf("the program is over: M0 ends, and G1 does not stop")
			w.s.Exit(w.m0, 0)
		}
		w.skips("PreemptM")
		m.Thread("M1", func() {
			if got := w.s.SuspendG(w.m1, w.gp); !got.Dead {
				m.Errorf("the program is over before G1 stops; Dead in the result of SuspendG is false; want true")
			}
		})
	})
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
			w.gp.Waitreason.Set(gmp.WaitReasonPreempted) // for one SuspendG, not necessarily for this one
			state := ""
			w.sees["Ready"] = func() { state = check.State(w.gp) }
			w.skips("Ready")
			w.s.ResumeG(w.m1, gmp.SuspendGState{G: w.gp, Stopped: stopped})
			what := fmt.Sprintf("G1 is %s, and Stopped is %v; ", is(st|gmp.Gscan), stopped)
			check.Want(t, what+"after ResumeG the state of G1", check.State(w.gp), is(st))
			ready := w.Of("Ready")
			check.Must(t, (len(ready) == 1) == stopped, what+"ResumeG "+check.MustIf(stopped)+" make it ready")
			if stopped && len(ready) == 1 {
				check.Want(t, what+"the state in which it is made ready", state, is(st))
				check.Must(t, check.Arg[bool](ready[0].Call), what+"it must run next")
			}
		}
	}
	w := newWorld(t)
	w.s.ResumeG(w.m1, gmp.SuspendGState{Dead: true})
	for _, st := range []uint32{gmp.Grunnable, gmp.Grunning, gmp.Gsyscall, gmp.Gwaiting} {
		w.gp.Atomicstatus.Store(st)
		check.WantThrow(t, "G1 is "+is(st)+", without the scan bit; ResumeG", check.Thrown(t.Throws(func() { w.s.ResumeG(w.m1, gmp.SuspendGState{G: w.gp}) })), check.Thrown("unexpected g status"))
	}
}
