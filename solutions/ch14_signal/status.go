package ch14

import (
	"gosched/chapters/gmp"
	"gosched/chapters/machine"
)

// scanBits locks the states of Gs.
type scanBits struct {
	s *gmp.Sched
}

// NewScanBits makes the ScanBits of s.
func NewScanBits(s *gmp.Sched) gmp.ScanBits { return &scanBits{s: s} }

// Castogscanstatus sets the scan bit of gp, if it is in state oldval.
//
//course:exercise
func (p *scanBits) Castogscanstatus(gp *gmp.G, oldval, newval uint32) bool {
	//course:holds Of several Ms that try, one has the bit, and gp was in state oldval at that moment.
	//course:step The four states in which a G may be looked at, and nothing but the bit may change.
	good := false
	switch oldval {
	case gmp.Grunnable, gmp.Grunning, gmp.Gsyscall, gmp.Gwaiting:
		good = newval == oldval|gmp.Gscan
	}
	if !good {
		p.s.Throwf("castogscanstatus: bad arguments %s and %s (goroutine %d)", gmp.StatusName(oldval), gmp.StatusName(newval), gp.Goid.Get())
	}
	//course:step One atomic step, which may fail: gp has gone on since the caller looked.
	return gp.Atomicstatus.CompareAndSwap(oldval, newval)
}

// CasfromGscanstatus clears the scan bit of gp.
//
//course:exercise
func (p *scanBits) CasfromGscanstatus(gp *gmp.G, oldval, newval uint32) {
	//course:question Nobody may change a state that you have locked. So why is a store not enough?
	//course:step Only the bit goes. If the state is not what it was, the lock was broken: say so.
	if oldval&gmp.Gscan == 0 || newval != oldval&^gmp.Gscan || !gp.Atomicstatus.CompareAndSwap(oldval, newval) {
		p.s.Throwf("casfrom_Gscanstatus: goroutine %d is %s; from %s to %s", gp.Goid.Get(), gmp.StatusName(gp.Atomicstatus.Load()), gmp.StatusName(oldval), gmp.StatusName(newval))
	}
}

// CasGToPreemptScan stops gp, and locks its state.
//
//course:exercise
func (p *scanBits) CasGToPreemptScan(gp *gmp.G, oldval, newval uint32) {
	//course:holds There is no moment in which gp has stopped and its state is not locked.
	//course:step No other two states.
	if oldval != gmp.Grunning || newval != gmp.Gpreempted|gmp.Gscan {
		p.s.Throwf("bad g transition: %s to %s (goroutine %d)", gmp.StatusName(oldval), gmp.StatusName(newval), gp.Goid.Get())
	}
	//course:step Whoever asks gp to stop holds its scan bit for a moment. Wait for that.
	for !gp.Atomicstatus.CompareAndSwap(oldval, newval) {
		machine.Osyield()
	}
}

// CasGFromPreempted claims gp, which has stopped.
//
//course:exercise
func (p *scanBits) CasGFromPreempted(gp *gmp.G, oldval, newval uint32) bool {
	//course:question Another M claims gp at the same moment, and wins. What may you have written by then?
	//course:step No other two states.
	if oldval != gmp.Gpreempted || newval != gmp.Gwaiting {
		p.s.Throwf("bad g transition: %s to %s (goroutine %d)", gmp.StatusName(oldval), gmp.StatusName(newval), gp.Goid.Get())
	}
	//course:step One M wins. The reason is for that one to write, and while gp waits with the bit set nobody else does.
	if !gp.Atomicstatus.CompareAndSwap(oldval, newval|gmp.Gscan) {
		return false
	}
	gp.Waitreason.Set(gmp.WaitReasonPreempted)
	p.s.CasfromGscanstatus(gp, newval|gmp.Gscan, newval)
	return true
}
