package gmp

import "gosched/chapters/trace"

// This file is what chapter 14 finds in place, and what is seen of it.

// AsyncPreemptOff reports whether no signals are to be sent: GODEBUG=asyncpreemptoff=1.
func (s *Sched) AsyncPreemptOff() bool { return s.run.opt.AsyncPreemptOff }

// HasSignals reports whether s is of a Go with signals, in which P.Preempt is used.
func (s *Sched) HasSignals() bool { return s.run.version.Signals != nil }

// AsyncpreemptDone is what a G must still do that Asyncpreempt2 has stopped; see G.Cont. The
// end of the runtime's asyncPreempt2.
func (s *Sched) AsyncpreemptDone(mp *M, gp *G) { gp.AsyncSafe.Set(false) }

type checkedSignals struct {
	Signals
	w *watcher
}

func (c *checkedSignals) PreemptPark(mp *M, gp *G) {
	c.w.status("PreemptPark", gp, Grunning)
	c.w.seen(gp, parked)
	c.Signals.PreemptPark(mp, gp)
}

type tracedSignals struct {
	Signals
	s *Sched
}

func (t *tracedSignals) PreemptPark(mp *M, gp *G) {
	t.s.record(mp, trace.Event{Kind: trace.Park, G: gp.Goid.Get(), Line: t.s.lineOf(gp), Text: WaitReasonPreempted.String()})
	t.Signals.PreemptPark(mp, gp)
}
