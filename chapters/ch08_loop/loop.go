package ch08

import (
	"fmt"

	"gosched/chapters/check"
	"gosched/chapters/gmp"
	"gosched/chapters/machine"
)

// executeLinks checks what Execute does to M and G, and in which order.
func executeLinks(t *check.T) {
	w := newWorld(t, 1)
	gp := w.newG(gmp.Grunnable)
	w.edge = func(gp *gmp.G) {
		if gp.M.Get() != w.m0 || w.m0.Curg.Get() != gp {
			t.Errorf("when Execute makes G1 running, G1 and M0 do not point to each other yet; a running G must always have an M")
		}
	}
	w.s.Execute(w.m0, gp, false)
	w.edge = nil
	check.Want(t, "after Execute(G1) M0.Curg", check.Name(w.m0.Curg.Get()), "G1")
	check.Want(t, "after Execute(G1) G1.M", check.MName(gp.M.Get()), "M0")
	check.Want(t, "after Execute the state of G1", check.State(gp), "running")

	gp = w.newG(gmp.Gwaiting)
	if msg := t.Throws(func() { w.s.Execute(w.m0, gp, false) }); msg == "" {
		t.Errorf("Execute of a G that waits must throw, as Casgstatus does")
	}
}

// executeTick checks that time slices are counted, and not Gs.
func executeTick(t *check.T) {
	w := newWorld(t, 1)
	tick := uint32(0)
	for i, inherit := range []bool{false, false, true, true, true, false, true, false} {
		if !inherit {
			tick++
		}
		w.s.Execute(w.m0, w.newG(gmp.Grunnable), inherit)
		check.Want(t, fmt.Sprintf("Execute number %d, with inheritTime %v; after it P0.Schedtick, the number of time slices,", i+1, inherit), w.p0.Schedtick.Get(), tick)
		if t.Failed() {
			return
		}
	}
}

// executeRequest checks that a request to stop is not served a second time.
func executeRequest(t *check.T) {
	for _, inherit := range []bool{false, true} {
		w := newWorld(t, 1)
		gp := w.newG(gmp.Grunnable)
		gp.Stack.Set(w.s.Stackalloc(gmp.StartingStack))
		low := uint64(gp.Stack.Get().Lo)
		gp.Ask()
		what := fmt.Sprintf("G1 was asked to stop, has stopped, and is executed with inheritTime %v;", inherit)
		early := false
		w.edge = func(*gmp.G) { early = gp.Preempt.Get() || gp.Sched.Guard.Load() == machine.StackPreempt }
		w.s.Execute(w.m0, gp, inherit)
		w.edge = nil
		check.Want(t, what+" G1.Preempt", gp.Preempt.Get(), false)
		if gp.Sched.Guard.Load() == machine.StackPreempt {
			t.Errorf("%s its guard is still poisoned, so it stops again at its first call; want Stack.Lo + StackGuard", what)
		} else {
			check.Want(t, what+" its guard, counted from the low end of its stack,", gp.Sched.Guard.Load()-low, gmp.StackGuard)
		}
		if early && !t.Failed() {
			t.Errorf("%s the old request is forgotten only when its state says that it runs; another M that sees it run may ask it to stop just then, and that request is forgotten, too", what)
		}
	}
}

// scheduleRuns checks that Schedule runs what FindRunnable has found.
func scheduleRuns(t *check.T) {
	for _, inherit := range []bool{false, true} {
		w := newWorld(t, 1)
		w.found = &answer{gp: w.newG(gmp.Grunnable), inheritTime: inherit}
		w.schedule()
		runs := w.Of("Execute")
		if len(runs) != 1 || runs[0].G != w.found.gp {
			t.Fatalf("FindRunnable returned G1, and Schedule called Execute %d times; want once, for G1", len(runs))
		}
		if runs[0].Locked {
			t.Errorf("Schedule called Execute with s.Lock held")
		}
		check.Want(t, fmt.Sprintf("FindRunnable returned G1 with inheritTime %v; what Execute was told", inherit), check.Arg[bool](runs[0].Call), inherit)
		if w.at("Wakep") >= 0 || w.at("Resetspinning") >= 0 {
			t.Errorf("M0 did not spin and tryWakeP was not set, but Schedule called Wakep or Resetspinning; another M would come for nothing")
		}
	}

	w := newWorld(t, 1)
	w.found = &answer{}
	w.schedule()
	if n := len(w.Of("Execute")); n > 0 {
		t.Errorf("FindRunnable returned nil, since the program is over, but Schedule called Execute; it must return")
	}
}

// scheduleWakes checks what Schedule tells others before the G runs, which may take
// long.
func scheduleWakes(t *check.T) {
	for _, c := range []struct {
		spinning, try bool
		method, why   string
	}{
		{spinning: true, method: "Resetspinning", why: "M0 spins and has found G1"},
		{try: true, method: "Wakep", why: "FindRunnable returned G1 with tryWakeP set"},
	} {
		w := newWorld(t, 2)
		w.m0.Spinning.Set(c.spinning)
		w.found = &answer{gp: w.newG(gmp.Grunnable), tryWakeP: c.try}
		w.schedule()
		switch n := len(w.Of(c.method)); {
		case n == 0 || n > 1 && c.spinning:
			t.Errorf("%s; Schedule called %s %d times; want once", c.why, c.method, n)
		case w.at(c.method) > w.at("Execute"):
			t.Errorf("%s; Schedule called %s after Execute: in the runtime G1 runs by then, and may run for a long time", c.why, c.method)
		}
	}

	w := newWorld(t, 1)
	w.m0.Spinning.Set(true)
	w.onP0(1, false)
	w.found = &answer{gp: w.newG(gmp.Grunnable)}
	msg := t.Throws(func() { w.Loop.Schedule(w.m0) })
	check.WantThrow(t, "M0 spins, which means that it has no work, but P0 has a G in its queue; Schedule", check.Thrown(msg), `"schedule: spinning with local work"`)
	if msg != "" && w.at("FindRunnable") >= 0 {
		t.Errorf("M0 spins, and P0 has a G in its queue; Schedule called FindRunnable before it threw. Check first: what FindRunnable does may hide the mistake")
	}
}
