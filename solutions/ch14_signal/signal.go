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
type signals struct {
	s *gmp.Sched
}

// NewSignals makes the Signals of s.
func NewSignals(s *gmp.Sched) gmp.Signals { return &signals{s: s} }

// PreemptM sends target a signal.
//
//course:exercise
func (p *signals) PreemptM(mp, target *gmp.M) {
	//course:holds After the call target will answer a signal that was still to be answered when the call began.
	//course:step If a signal is under way, that one will do. Of several senders one sends.
	if !p.s.AsyncPreemptOff() && target.SignalPending.CompareAndSwap(0, 1) {
		target.Thread.Signal.Send()
	}
}

// DoSigPreempt answers a signal.
//
//course:exercise
func (p *signals) DoSigPreempt(mp *gmp.M, gp *gmp.G) {
	//course:holds Whoever has asked gp before a signal was sent, or found to be under way, has an answer: gp has stopped, or PreemptGen has changed since.
	//course:question Somebody looks at PreemptGen, and then calls PreemptM, between any two of your steps. Is its signal sent, and if not, what does it wait for?
	//course:lead There are three things to do: decide, take note that the signal was answered (two steps), and stop gp. After which of them can another M have gp?
	s := p.s
	//course:step Decide while gp is still yours.
	stop := s.WantAsyncPreempt(gp) && s.IsAsyncSafePoint(gp, gp.Sched.At())
	//course:step The signal is answered. First the next one may be sent; then say so to those who wait.
	mp.SignalPending.Store(0)
	mp.PreemptGen.Add(1)
	//course:step Then stop, if it is to be. After that gp may run elsewhere.
	if stop {
		s.Asyncpreempt2(mp, gp)
	}
}

// WantAsyncPreempt reports whether gp was asked to stop.
//
//course:exercise
func (p *signals) WantAsyncPreempt(gp *gmp.G) bool {
	//course:step The G was asked, or the P on which it runs.
	pp := gp.M.Get().P.Get()
	asked := gp.Preempt.Get() || pp != nil && pp.Preempt.Get()
	//course:step One that is in a system call need not stop: it runs no Go code. The scan bit says nothing of that.
	return asked && gp.Atomicstatus.Load()&^gmp.Gscan == gmp.Grunning
}

// IsAsyncSafePoint reports whether gp may stop at pc.
//
//course:exercise
func (p *signals) IsAsyncSafePoint(gp *gmp.G, pc machine.PC) bool {
	//course:holds Wherever it says yes, all that gp has is in its context and on its stack, and nobody counts on gp to go on at once.
	//course:step The M: it must have a P, and no reason not to be interrupted.
	mp := gp.M.Get()
	if mp.P.Get() == nil || !p.s.CanPreemptM(mp) {
		return false
	}
	//course:step The G: it must not be in the middle of a call, whose result it would miss.
	if gp.Sched.Trap.IsCall() {
		return false
	}
	//course:step The instruction: there are some between which a stack must not move.
	return !p.s.Program().UnsafePoint(pc)
}

// Asyncpreempt2 stops gp where it is.
//
//course:exercise
func (p *signals) Asyncpreempt2(mp *gmp.M, gp *gmp.G) {
	//course:holds As long as gp does not go on, AsyncSafe says that it stands between two instructions.
	//course:step Say so, and what is to be done when it goes on.
	gp.AsyncSafe.Set(true)
	gp.Cont.Set((*gmp.Sched).AsyncpreemptDone)
	//course:step Stop for the one who wants to look at it, or for all others that want to run.
	if gp.PreemptStop.Get() {
		p.s.PreemptPark(mp, gp)
	} else {
		p.s.GoschedImpl(mp, gp, true)
	}
}
