// This file is yours: what you write in it is kept. The task is in README.md
// beside it, and this command checks your code:
//
//	go run ./autograder test ch14

// Package ch14 is signals: chapter 14, Go 1.14.
//
// A G that calls nothing meets no prologue, and is never asked there whether it is to stop. So its
// thread is interrupted, and the handler looks whether the G was asked, and whether this
// is a place at which it may stop. The other half is SuspendG, which stops one G in particular, in
// order to look at its stack.
package ch14

import (
	"gosched/chapters/gmp"
	"gosched/chapters/machine"
)

// Parts are the parts of this chapter.
var Parts = gmp.Version{
	ScanBits: NewScanBits,
	Signals:  NewSignals,
}

// signals keeps nothing of its own: what is asked for stands in the G, and what was answered in
// the M.
//
// Signals stops a G between any two instructions.
//
// A signal says nothing. It makes the M that gets it look, in DoSigPreempt, whether the G that it
// runs was asked to stop; so one that comes late, or twice, or to an M that runs another G by
// then, does no harm. The request is where chapters 12 and 13 have it: gp.Preempt, and the
// guard.
type signals struct {
	s *gmp.Sched
}

// NewSignals makes the Signals of s.
func NewSignals(s *gmp.Sched) gmp.Signals { return &signals{s: s} }

// PreemptM sends target the preemption signal, target.Thread.Signal.Send, unless one is
// under way that it has not answered: SignalPending goes from 0 to 1, and whoever has done
// that sends. It does nothing if signals are off (s.AsyncPreemptOff). Any M may call it; mp
// is its own. target may be about to end.
//
// The runtime's preemptM. There it is for the callers to see that signals are not off.
func (p *signals) PreemptM(mp, target *gmp.M) {
	// Holds: After the call target will answer a signal that was still to be
	//        answered when the call began.
	panic(gmp.TODO("PreemptM"))
}

// DoSigPreempt answers the signal on mp, which has stopped gp, its current G: between
// two instructions, at gp.Sched.At, or in a system call. If gp was asked to stop
// (WantAsyncPreempt) and may be stopped there (IsAsyncSafePoint), gp stops, by
// Asyncpreempt2; then gp may run elsewhere, and is not touched any more. If not, gp goes on.
//
// In any case the signal is answered before that: SignalPending is 0 again, and then
// PreemptGen is one higher. In this order: whoever waits for an answer and sees the new
// PreemptGen sends again, and must not find the old signal still pending.
//
// The runtime's doSigPreempt, which takes the two steps the other way round. There the
// signal that comes in between is not sent, and the one who waits depends on the monitor,
// which sends one when the slice is over, 10 to 20 ms after it began.
func (p *signals) DoSigPreempt(mp *gmp.M, gp *gmp.G) {
	// Holds: Whoever has asked gp before a signal was sent, or found to be
	//        under way, has an answer: gp has stopped, or PreemptGen has
	//        changed since.
	// Question: Somebody looks at PreemptGen, and then calls PreemptM, between
	//           any two of your steps. Is its signal sent, and if not, what
	//           does it wait for?
	panic(gmp.TODO("DoSigPreempt"))
}

// WantAsyncPreempt reports whether gp, the current G of an M that has got a signal, is to
// stop: it was asked to (Preempt), or its P was (P.Preempt; it may have none), and its
// state says that it runs, whether its scan bit is set or not. The runtime's
// wantAsyncPreempt.
func (p *signals) WantAsyncPreempt(gp *gmp.G) bool {
	panic(gmp.TODO("WantAsyncPreempt"))
}

// IsAsyncSafePoint reports whether gp, the current G of gp.M, may be stopped at pc, where
// it is about to go on. It may not
//
//   - if its M has no P, or may not be preempted now (CanPreemptM, which is asked only of
//     an M that has one);
//   - if gp has called the runtime and waits for the answer (Sched.Trap.IsCall): a raw
//     system call is one during which gp counts as running;
//   - if pc is an unsafe point of the program (Program.UnsafePoint).
//
// The runtime's isAsyncSafePoint.
func (p *signals) IsAsyncSafePoint(gp *gmp.G, pc machine.PC) bool {
	// Holds: Wherever it says yes, all that gp has is in its context and on
	//        its stack, and nobody counts on gp to go on at once.
	panic(gmp.TODO("IsAsyncSafePoint"))
}

// Asyncpreempt2 stops gp, which runs on mp, at a safe point. AsyncSafe says from then on,
// until gp goes on, that it was no prologue that stopped it; gp.Cont is
// (*Sched).AsyncpreemptDone, which clears that. If somebody wants to suspend gp
// (PreemptStop), it stops by PreemptPark, otherwise by GoschedImpl with preempted set.
// After that gp is not touched any more. The runtime's asyncPreempt2.
func (p *signals) Asyncpreempt2(mp *gmp.M, gp *gmp.G) {
	// Holds: As long as gp does not go on, AsyncSafe says that it stands
	//        between two instructions.
	panic(gmp.TODO("Asyncpreempt2"))
}
