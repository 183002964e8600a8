// This file is yours: what you write in it is kept. The task is in README.md
// beside it, and this command checks your code:
//
//	go run ./autograder test ch14

package ch14

import (
	"gosched/chapters/gmp"
)

// scanBits locks the states of Gs.
//
// ScanBits is the rest of what is done to the state of a G; Casgstatus is chapter 1. The scan
// bit, Gscan, is a lock on the state: as long as it is set nobody moves the G from the state
// beside it, so it does not begin to run, and one that does not run has a stack that can be
// looked at and moved. Whoever has set it clears it. It is held for a moment, and whoever holds
// it takes no lock and waits for no other G.
type scanBits struct {
	s *gmp.Sched
}

// NewScanBits makes the ScanBits of s.
func NewScanBits(s *gmp.Sched) gmp.ScanBits { return &scanBits{s: s} }

// Castogscanstatus sets the scan bit of gp if gp is in state oldval, without the bit, and
// reports whether it has: another M may be faster. newval is oldval with the bit; throws if
// it is anything else, or if oldval is not Grunnable, Grunning, Gsyscall or Gwaiting. The
// runtime's castogscanstatus.
func (p *scanBits) Castogscanstatus(gp *gmp.G, oldval, newval uint32) bool {
	// Holds: Of several Ms that try, one has the bit, and gp was in state
	//        oldval at that moment.
	panic(gmp.TODO("Castogscanstatus"))
}

// CasfromGscanstatus clears the scan bit, which the caller has set: newval is oldval
// without it. Throws if it is not, if oldval has no scan bit, or if gp is not in oldval:
// then somebody has changed a state that was locked. The runtime's casfrom_Gscanstatus.
func (p *scanBits) CasfromGscanstatus(gp *gmp.G, oldval, newval uint32) {
	// Question: Nobody may change a state that you have locked. So why is a
	//           store not enough?
	panic(gmp.TODO("CasfromGscanstatus"))
}

// CasGToPreemptScan moves gp, which runs on the caller's M, from Grunning to Gpreempted
// with the scan bit, in one step: gp then has stopped, and nobody can have it yet. If
// another M holds the scan bit, it waits, by machine.Procyield or Osyield. Throws if
// oldval and newval are not those two. The runtime's casGToPreemptScan.
func (p *scanBits) CasGToPreemptScan(gp *gmp.G, oldval, newval uint32) {
	// Holds: There is no moment in which gp has stopped and its state is not
	//        locked.
	panic(gmp.TODO("CasGToPreemptScan"))
}

// CasGFromPreempted moves gp from Gpreempted to Gwaiting, with WaitReasonPreempted, and
// reports whether it has. Of several Ms that try, one succeeds: that one must make gp ready
// in the end. It writes Waitreason after it has won. Throws if oldval and newval are not
// those two. The runtime's casGFromPreempted, which writes it before.
func (p *scanBits) CasGFromPreempted(gp *gmp.G, oldval, newval uint32) bool {
	// Question: Another M claims gp at the same moment, and wins. What may you
	//           have written by then?
	panic(gmp.TODO("CasGFromPreempted"))
}
