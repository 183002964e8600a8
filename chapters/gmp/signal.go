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

// DoSigPreempt records the signal. What the signal does is recorded after it, by GoschedImpl or
// PreemptPark.
func (t *tracedSignals) DoSigPreempt(mp *M, gp *G) {
	t.s.recordUnseen(mp, trace.Event{Kind: trace.Signal, G: gp.Goid.Peek(), Line: t.s.lineOf(gp), Text: t.s.unstoppable(gp)})
	t.Signals.DoSigPreempt(mp, gp)
}

func (t *tracedSignals) PreemptPark(mp *M, gp *G) {
	t.s.record(mp, trace.Event{Kind: trace.Park, G: gp.Goid.Get(), Line: t.s.lineOf(gp), Text: WaitReasonPreempted.String()})
	t.Signals.PreemptPark(mp, gp)
}

// unstoppable says why gp cannot stop where it stands, for the trace; "" if it can. It looks at
// gp alone, and costs nothing on simulated CPUs.
func (s *Sched) unstoppable(gp *G) string {
	switch {
	case gp.SyscallSP.Peek() != 0:
		return "it is in a system call"
	case gp.Sched.Trap.IsCall():
		return "it waits for an answer of the runtime"
	case s.Program().UnsafePoint(gp.Sched.At()):
		return "the instruction is no safe point"
	}
	return ""
}
