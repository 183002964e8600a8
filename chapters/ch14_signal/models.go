package ch14

import (
	"gosched/chapters/check"
	"gosched/chapters/gmp"
	"gosched/chapters/machine"
	"gosched/chapters/machine/explore"
)

// crew explores a model in which Gs that are made ready run at once.
func crew(t *check.T, play func(c *check.Crew)) {
	t.Helper()
	t.Crew(explore.Options{}, func(c *check.Crew) {
		c.Queues() // so that each M has a P
		c.S.Loop = crewLoop{c.S.Loop}
		c.S.Signals = anywhere{c.S.Signals}
		play(c)
	})
}

// anywhere says that a G may be stopped: here it has no program.
type anywhere struct{ gmp.Signals }

func (p anywhere) IsAsyncSafePoint(gp *gmp.G, pc machine.PC) bool { return true }

// crewLoop ends requests to stop, as the Loop of chapter 8 does.
type crewLoop struct{ gmp.Loop }

func (p crewLoop) Execute(mp *gmp.M, gp *gmp.G, inheritTime bool) {
	gp.Preempt.Set(false)
	gp.Sched.Guard.Store(uint64(gp.Stack.Get().Lo) + gmp.StackGuard)
	p.Loop.Execute(mp, gp, inheritTime)
}

// A stack stands for that of a G: the G writes there while it runs, and whoever has
// suspended it reads.
type stack struct{ word machine.Cell[int] }

// meets lets gp, which computes on mp, meet a signal if one is pending, and reports whether that
// has stopped it.
func meets(c *check.Crew, mp *gmp.M, gp *gmp.G) (stopped bool) {
	if mp.Thread.Signal.Clear() {
		c.S.DoSigPreempt(mp, gp)
	}
	return mp.Curg.Get() != gp
}

// suspender adds an M that suspends gp, looks at its stack, and lets it go on.
func suspender(c *check.Crew, name string, gp *gmp.G, st *stack) {
	mp := c.NewM()
	c.Thread(name, func() {
		state := c.S.SuspendG(mp, gp)
		if !state.Dead {
			c.Logf("looks at the stack of %s", check.Name(gp))
			st.word.Get()
		}
		c.S.ResumeG(mp, state)
	})
}

// raceSignal: a signal that was sent for nothing is answered on M0 while another M asks G1,
// which computes there, to stop, and looks at PreemptGen to see whether it was heard.
func raceSignal(t *check.T) {
	crew(t, func(c *check.Crew) {
		g1 := c.Go(func(mp *gmp.M, gp *gmp.G) { meets(c, mp, gp) })
		m0 := g1.M.Get()
		m0.SignalPending.Store(1)
		m0.Thread.Signal.Send()
		mp, seen := c.NewM(), uint32(0)
		stopped := false
		c.S.Submission = &stops{c.S.Submission, &stopped}
		c.Thread("suspender", func() {
			g1.Ask()
			seen = m0.PreemptGen.Load()
			c.S.PreemptM(mp, m0)
		})
		c.Check(func() {
			if !stopped && m0.PreemptGen.Load() == seen && !m0.Thread.Signal.Clear() {
				c.Errorf("G1 was asked to stop and runs on; M0.PreemptGen is %d, as the suspender has seen it before it called PreemptM, and no signal is on its way to M0: the suspender waits for an answer that will never come", seen)
			}
		})
	})
}

// stops notes whether a G yields.
type stops struct {
	gmp.Submission
	stopped *bool
}

func (p *stops) GoschedImpl(mp *gmp.M, gp *gmp.G, preempted bool) {
	*p.stopped = true
	p.Submission.GoschedImpl(mp, gp, preempted)
}

// raceLate: a signal comes to M0 when it no longer runs the G for which it was sent.
func raceLate(t *check.T) {
	crew(t, func(c *check.Crew) {
		g1 := c.Go(func(mp *gmp.M, gp *gmp.G) { meets(c, mp, gp) }, func(mp *gmp.M, gp *gmp.G) { c.Logf("G1 goes on") })
		m0 := g1.M.Get()
		for _, name := range []string{"monitor", "another M"} {
			mp := c.NewM()
			c.Thread(name, func() {
				if name == "monitor" {
					g1.Ask()
				}
				c.S.PreemptM(mp, m0)
			})
		}
		c.Check(func() {
			if pending, sent := m0.SignalPending.Load() == 1, m0.Thread.Signal.Clear(); pending != sent {
				c.Errorf("M0.SignalPending says %v, and whether a signal is on its way to M0 is %v: from now on M0 gets none, or two at a time", pending, sent)
			}
		})
	})
}

// raceEnd: G1 ends, parks or yields while it is suspended.
func raceEnd(t *check.T) {
	crew(t, func(c *check.Crew) {
		var st stack
		g1 := c.Go(func(mp *gmp.M, gp *gmp.G) {
			st.word.Set(1)
			if !meets(c, mp, gp) {
				c.S.GoschedImpl(mp, gp, false)
			}
		}, func(mp *gmp.M, gp *gmp.G) { st.word.Set(2) })
		suspender(c, "suspender", g1, &st)
	})
}

// raceCall: G1 is in a system call, comes back, and moves its stack, while it is suspended.
func raceCall(t *check.T) {
	crew(t, func(c *check.Crew) {
		var st stack
		g1 := c.Go(func(mp *gmp.M, gp *gmp.G) {
			c.S.Casgstatus(gp, gmp.Gsyscall, gmp.Grunning)
			c.S.Casgstatus(gp, gmp.Grunning, gmp.Gcopystack)
			c.S.Casgstatus(gp, gmp.Gcopystack, gmp.Grunning)
			st.word.Set(1)
		})
		g1.Atomicstatus.Store(gmp.Gsyscall)
		suspender(c, "suspender", g1, &st)
	})
}

// raceAsked: another M has asked G1 to stop before; so will the suspender. G1 answers the first
// signal in vain, as if it stood at an unsafe point, and stops at the second one.
func raceAsked(t *check.T) {
	crew(t, func(c *check.Crew) {
		p := &signalled{Signals: c.S.Signals, c: c, seen: map[*gmp.M]uint32{}}
		c.S.Signals = p
		g1 := c.Go(func(mp *gmp.M, gp *gmp.G) {
			p.wait(1)
			mp.SignalPending.Store(0)
			mp.PreemptGen.Add(1)
			p.wait(2)
			c.S.PreemptPark(mp, gp)
		})
		c.MayWait(g1) // nobody resumes it
		g1.PreemptStop.Set(true)
		g1.Ask()
		g1.M.Get().PreemptGen.Store(7)
		mp := c.NewM()
		c.Thread("suspender", func() { c.S.SuspendG(mp, g1) })
	})
}

// signalled watches that no signal is sent to an M that has not answered the last one.
type signalled struct {
	gmp.Signals
	c    *check.Crew
	sent machine.Uint32    // signals
	seen map[*gmp.M]uint32 // PreemptGen when the last one was sent
}

func (p *signalled) PreemptM(mp, target *gmp.M) {
	generation := target.PreemptGen.Load()
	if last, sent := p.seen[target]; sent && last == generation {
		p.c.Errorf("SuspendG calls PreemptM once more, and %s has not answered the last signal yet: G1 is still asked, and PreemptGen is still %d", check.MName(target), generation)
		p.c.FailNow()
	}
	p.seen[target] = generation
	p.Signals.PreemptM(mp, target)
	p.sent.Add(1)
}

// wait waits for the nth signal.
func (p *signalled) wait(n uint32) {
	for p.sent.Load() < n {
		machine.Osyield()
	}
}

// raceTwo: two Ms claim G1, which has stopped for one of them. One suspends it; the other one
// makes it ready at once if it wins, and otherwise holds its scan bit for a moment.
func raceTwo(t *check.T) {
	crew(t, func(c *check.Crew) {
		var st stack
		g1 := c.Parked(func(mp *gmp.M, gp *gmp.G) { st.word.Set(1) })
		g1.Atomicstatus.Store(gmp.Gpreempted)
		suspender(c, "suspender", g1, &st)
		mp := c.NewM()
		c.Thread("claimer", func() {
			if c.S.CasGFromPreempted(g1, gmp.Gpreempted, gmp.Gwaiting) {
				c.S.Ready(mp, g1, true)
			} else {
				c.Look(g1, gmp.Gwaiting)
			}
		})
	})
}

// racePark: G1 stops for an M that waits for that, asks it to stop again, makes it ready at
// once, and lets it run to its end.
func racePark(t *check.T) {
	crew(t, func(c *check.Crew) {
		g1 := c.Go(func(mp *gmp.M, gp *gmp.G) { c.S.PreemptPark(mp, gp) }, func(mp *gmp.M, gp *gmp.G) {
			if !gp.PreemptStop.Get() {
				c.Errorf("G1.PreemptStop is false, and the M that had claimed G1 has set it: PreemptPark has changed it after that, when G1 was no longer its own")
			}
		})
		g1.PreemptStop.Set(true)
		mp := c.NewM()
		c.Thread("suspender", func() {
			for !c.S.CasGFromPreempted(g1, gmp.Gpreempted, gmp.Gwaiting) {
				machine.Osyield()
			}
			g1.PreemptStop.Set(true)
			c.S.Ready(mp, g1, true)
		})
		c.Thread("looks", func() { c.Look(g1, gmp.Grunning) })
	})
}
