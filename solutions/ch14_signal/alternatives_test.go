package ch14_test

import (
	"testing"

	suite "gosched/chapters/ch14_signal"
	"gosched/chapters/gmp"
	"gosched/chapters/machine"
	"gosched/solutions"
	"gosched/solutions/ch14_signal"
)

// TestAlternatives plays the suite on other right solutions.
func TestAlternatives(t *testing.T) {
	alternatives := map[string]gmp.Version{}
	for name, wrap := range map[string]func(p base) gmp.Signals{
		"decides-last": func(p base) gmp.Signals { return decidesAfter{p} },
		"looks-first":  func(p base) gmp.Signals { return looksFirst{p} },
		"by-hand":      func(p base) gmp.Signals { return byHand{p} },
		"asks-anew":    func(p base) gmp.Signals { return asksAnew{p} },
	} {
		alternatives[name] = gmp.Version{ScanBits: ch14.NewScanBits, Signals: func(s *gmp.Sched) gmp.Signals { return wrap(base{ch14.NewSignals(s), s}) }}
	}
	alternatives["patient-bits"] = gmp.Version{Signals: ch14.NewSignals, ScanBits: func(s *gmp.Sched) gmp.ScanBits { return patientBits{ch14.NewScanBits(s)} }}
	suite.Suite.TestAlternatives(t, solutions.Base("ch14"), alternatives)
}

// base is what an alternative does not do otherwise.
type base struct {
	gmp.Signals
	s *gmp.Sched
}

// decidesAfter answers the signal before it looks whether the G is to stop.
type decidesAfter struct{ base }

func (p decidesAfter) DoSigPreempt(mp *gmp.M, gp *gmp.G) {
	mp.SignalPending.Swap(0)
	mp.PreemptGen.Add(1)
	if p.s.WantAsyncPreempt(gp) && p.s.IsAsyncSafePoint(gp, gp.Sched.At()) {
		p.s.Asyncpreempt2(mp, gp)
	}
}

// looksFirst saves a CompareAndSwap that would fail.
type looksFirst struct{ base }

func (p looksFirst) PreemptM(mp, target *gmp.M) {
	if p.s.AsyncPreemptOff() || target.SignalPending.Load() != 0 {
		return
	}
	if target.SignalPending.CompareAndSwap(0, 1) {
		target.Thread.Signal.Send()
	}
}

func (p looksFirst) WantAsyncPreempt(gp *gmp.G) bool {
	if st := gp.Atomicstatus.Load(); st != gmp.Grunning && st != gmp.Grunning|gmp.Gscan {
		return false
	}
	if gp.Preempt.Get() {
		return true
	}
	pp := gp.M.Get().P.Get()
	return pp != nil && pp.Preempt.Get()
}

// byHand has its own continuation, and does not wait for the scan bit with CasGToPreemptScan's
// caller looking first.
type byHand struct{ base }

func (p byHand) Asyncpreempt2(mp *gmp.M, gp *gmp.G) {
	gp.Cont.Set(func(s *gmp.Sched, mp *gmp.M, gp *gmp.G) { gp.AsyncSafe.Set(false) })
	park := gp.PreemptStop.Get()
	gp.AsyncSafe.Set(true)
	if park {
		p.s.PreemptPark(mp, gp)
		return
	}
	p.s.GoschedImpl(mp, gp, true)
}

// asksAnew forgets which signal it has sent whenever the G does not run.
type asksAnew struct{ base }

func (p asksAnew) ResumeG(mp *gmp.M, state gmp.SuspendGState) {
	if state.G == nil {
		return
	}
	st := state.G.Atomicstatus.Load()
	if st&gmp.Gscan == 0 {
		p.s.Throw("unexpected g status")
	}
	p.s.CasfromGscanstatus(state.G, st, st-gmp.Gscan)
	if state.Stopped {
		p.s.Ready(mp, state.G, true)
	}
}

func (p asksAnew) IsAsyncSafePoint(gp *gmp.G, pc machine.PC) bool {
	switch mp := gp.M.Get(); {
	case p.s.Program().UnsafePoint(pc), gp.Sched.Trap.IsCall(), mp.P.Get() == nil:
		return false
	default:
		return p.s.CanPreemptM(mp)
	}
}

// patientBits spins before it lets others have the CPU.
type patientBits struct{ gmp.ScanBits }

func (p patientBits) CasGToPreemptScan(gp *gmp.G, oldval, newval uint32) {
	if oldval == gmp.Grunning && newval == gmp.Gpreempted|gmp.Gscan {
		for gp.Atomicstatus.Load() != oldval {
			machine.Procyield(10)
		}
	}
	p.ScanBits.CasGToPreemptScan(gp, oldval, newval)
}
