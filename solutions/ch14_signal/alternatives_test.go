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
		"swaps":        func(p base) gmp.Signals { return swaps{p} },
		"by-state":     func(p base) gmp.Signals { return byState{p} },
	} {
		alternatives[name] = gmp.Version{ScanBits: ch14.NewScanBits, Signals: func(s *gmp.Sched) gmp.Signals { return wrap(base{ch14.NewSignals(s), s}) }}
	}
	alternatives["patient-bits"] = gmp.Version{Signals: ch14.NewSignals, ScanBits: func(s *gmp.Sched) gmp.ScanBits { return patientBits{ch14.NewScanBits(s)} }}
	alternatives["locks-first"] = gmp.Version{Signals: ch14.NewSignals, ScanBits: func(s *gmp.Sched) gmp.ScanBits { return locksFirst{ch14.NewScanBits(s), s} }}
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

// PreemptPark lets go of gp by hand, and from the other end.
func (p byHand) PreemptPark(mp *gmp.M, gp *gmp.G) {
	if st := gp.Atomicstatus.Load(); st != gmp.Grunning && st != gmp.Grunning|gmp.Gscan {
		p.s.Throw("bad g status")
	}
	p.s.CasGToPreemptScan(gp, gmp.Grunning, gmp.Gpreempted|gmp.Gscan)
	gp.M.Set(nil)
	mp.Curg.Set(nil)
	p.s.CasfromGscanstatus(gp, gmp.Gpreempted|gmp.Gscan, gmp.Gpreempted)
	p.s.Schedule(mp)
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

// patientBits spins before it lets others have the CPU, and looks before it tries.
type patientBits struct{ gmp.ScanBits }

func (p patientBits) Castogscanstatus(gp *gmp.G, oldval, newval uint32) bool {
	if newval == oldval|gmp.Gscan && gp.Atomicstatus.Load() == newval {
		return false // another M has it
	}
	return p.ScanBits.Castogscanstatus(gp, oldval, newval)
}

func (p patientBits) CasGToPreemptScan(gp *gmp.G, oldval, newval uint32) {
	if oldval == gmp.Grunning && newval == gmp.Gpreempted|gmp.Gscan {
		for gp.Atomicstatus.Load() != oldval {
			machine.Procyield(10)
		}
	}
	p.ScanBits.CasGToPreemptScan(gp, oldval, newval)
}

// swaps sends no signal twice since it sees what SignalPending was, and decides between the two
// steps of the answer.
type swaps struct{ base }

func (p swaps) PreemptM(mp, target *gmp.M) {
	if !p.s.AsyncPreemptOff() && target.SignalPending.Swap(1) == 0 {
		target.Thread.Signal.Send()
	}
}

func (p swaps) DoSigPreempt(mp *gmp.M, gp *gmp.G) {
	mp.SignalPending.Store(0)
	stop := p.s.IsAsyncSafePoint(gp, gp.Sched.At()) && p.s.WantAsyncPreempt(gp)
	mp.PreemptGen.Store(mp.PreemptGen.Load() + 1)
	if stop {
		p.s.Asyncpreempt2(mp, gp)
	}
}

// byState has a SuspendG in two methods: one for a G that has stopped, one that asks. It spins
// some rounds before it yields, and locks a G that it has claimed without another look.
type byState struct{ base }

// A request is what a SuspendG knows about the signal that it has sent last; the zero value
// if it has sent none.
type request struct {
	to         *gmp.M
	generation uint32
}

func (p byState) SuspendG(mp *gmp.M, gp *gmp.G) gmp.SuspendGState {
	if cur := mp.Curg.Get(); cur != nil && cur.Atomicstatus.Load()&^gmp.Gscan == gmp.Grunning {
		p.s.Throw("suspendG from non-preemptible goroutine")
	}
	var last request
	claimed := false
	for round := 0; ; round++ {
		st := gp.Atomicstatus.Load()
		switch {
		case st == gmp.Gdead, p.s.Exited():
			return gmp.SuspendGState{Dead: true}
		case st == gmp.Grunning:
			last = p.ask(mp, gp, last)
		case st == gmp.Gcopystack || st&gmp.Gscan != 0:
		case p.lock(gp, st, &claimed):
			return gmp.SuspendGState{G: gp, Stopped: claimed}
		}
		if round < 2 {
			machine.Procyield(10)
		} else {
			machine.Osyield()
		}
	}
}

// lock sets the scan bit of gp, which has stopped in state st, and reports whether it has.
func (p byState) lock(gp *gmp.G, st uint32, claimed *bool) bool {
	switch st {
	case gmp.Gpreempted:
		if !p.s.CasGFromPreempted(gp, st, gmp.Gwaiting) {
			return false
		}
		st, *claimed = gmp.Gwaiting, true
	case gmp.Grunnable, gmp.Gsyscall, gmp.Gwaiting:
	default:
		p.s.Throw("invalid g status")
	}
	if !p.s.Castogscanstatus(gp, st, st|gmp.Gscan) {
		return false
	}
	gp.Sched.Guard.Store(uint64(gp.Stack.Get().Lo) + gmp.StackGuard)
	gp.Preempt.Set(false)
	gp.PreemptStop.Set(false)
	return true
}

// ask asks gp, which runs, unless the last request still stands.
func (p byState) ask(mp *gmp.M, gp *gmp.G, last request) request {
	stands := gp.Sched.Guard.Load() == machine.StackPreempt && gp.Preempt.Get() && gp.PreemptStop.Get()
	if stands && last.to != nil && last.to.PreemptGen.Load() == last.generation || !p.s.Castogscanstatus(gp, gmp.Grunning, gmp.Grunning|gmp.Gscan) {
		return last
	}
	to := gp.M.Get()
	gp.Ask()
	gp.PreemptStop.Set(true)
	p.s.CasfromGscanstatus(gp, gmp.Grunning|gmp.Gscan, gmp.Grunning)
	now := request{to, to.PreemptGen.Load()}
	p.s.PreemptM(mp, to)
	return now
}

// locksFirst takes the scan bit before it changes a state, and then changes the state beside it,
// which nobody else does.
type locksFirst struct {
	gmp.ScanBits
	s *gmp.Sched
}

func (p locksFirst) CasfromGscanstatus(gp *gmp.G, oldval, newval uint32) {
	if oldval&gmp.Gscan == 0 || newval != oldval&^gmp.Gscan || gp.Atomicstatus.Load() != oldval {
		p.s.Throw("casfrom_Gscanstatus: the state is not locked, or not that one")
	}
	gp.Atomicstatus.Store(newval)
}

func (p locksFirst) CasGToPreemptScan(gp *gmp.G, oldval, newval uint32) {
	if oldval != gmp.Grunning || newval != gmp.Gpreempted|gmp.Gscan {
		p.s.Throw("bad g transition")
	}
	for !p.s.Castogscanstatus(gp, gmp.Grunning, gmp.Grunning|gmp.Gscan) {
		machine.Osyield()
	}
	gp.Atomicstatus.Store(newval)
}

func (p locksFirst) CasGFromPreempted(gp *gmp.G, oldval, newval uint32) bool {
	if oldval != gmp.Gpreempted || newval != gmp.Gwaiting {
		p.s.Throw("bad g transition")
	}
	if !gp.Atomicstatus.CompareAndSwap(oldval, oldval|gmp.Gscan) {
		return false
	}
	gp.Waitreason.Set(gmp.WaitReasonPreempted)
	gp.Atomicstatus.Store(newval)
	return true
}
