package ch01

import (
	"gosched/chapters/gmp"
	"gosched/chapters/machine"
)

// statuses moves Gs from state to state.
type statuses struct{ s *gmp.Sched }

// NewStatuses makes the part; it only stores s.
func NewStatuses(s *gmp.Sched) gmp.Statuses { return &statuses{s: s} }

// edges has, for each state, one bit per state that may follow it.
//
//course:omit
var edges = [...]uint32{
	gmp.Gidle:      1 << gmp.Gdead,
	gmp.Gdead:      1<<gmp.Grunnable | 1<<gmp.Gwaiting, // waiting: born parked, a coroutine of iter.Pull
	gmp.Grunnable:  1 << gmp.Grunning,
	gmp.Grunning:   1<<gmp.Grunnable | 1<<gmp.Gwaiting | 1<<gmp.Gsyscall | 1<<gmp.Gdead | 1<<gmp.Gcopystack | 1<<gmp.Gpreempted,
	gmp.Gwaiting:   1<<gmp.Grunnable | 1<<gmp.Grunning, // running: it only counted as waiting while it stopped the world
	gmp.Gsyscall:   1<<gmp.Grunning | 1<<gmp.Grunnable, // runnable: there was no P left for it (up to 1.25)
	gmp.Gcopystack: 1 << gmp.Grunning,
	gmp.Gpreempted: 1 << gmp.Gwaiting,
}

// isEdge reports whether a G may go from state oldval to newval.
//
//course:omit
func isEdge(oldval, newval uint32) bool {
	return oldval < uint32(len(edges)) && edges[oldval]&(1<<newval) != 0
}

// Casgstatus moves gp from oldval to newval. While the scan bit is set it waits:
// whoever set it has locked the state.
//
//course:exercise
func (p *statuses) Casgstatus(gp *gmp.G, oldval, newval uint32) {
	//course:holds Of several Ms that want to move the same G from the same state, one succeeds.
	//course:question The state was not changed. What can the reasons be, and for which of them does it help to wait?
	//course:lead There are eight states and few arrows. How would you write down which states may follow each of them, so that one look is enough?
	//course:lead Between a look at the state and its change another M may change it. Which method of machine.Uint32 leaves no gap between them? When it fails, what do you know, and what do you not know yet?
	//course:step Refuse an edge that is not in the diagram. No arrow leads from a state to itself, and none involves the scan bit.
	if !isEdge(oldval, newval) {
		p.s.Throwf("casgstatus: no way from %s to %s (goroutine %d)", gmp.StatusName(oldval), gmp.StatusName(newval), gp.Goid.Get())
	}

	//course:step Change the state from oldval to newval in one atomic step. A load and a store would be two.
	for !gp.Atomicstatus.CompareAndSwap(oldval, newval) {

		//course:step If that fails, load the state and find out why. If it is neither oldval nor oldval with the scan bit, the caller is wrong about gp.
		if st := gp.Atomicstatus.Load(); st&^gmp.Gscan != oldval {
			p.s.Throwf("casgstatus: goroutine %d is %s, not %s, so it cannot become %s",
				gp.Goid.Get(), gmp.StatusName(st), gmp.StatusName(oldval), gmp.StatusName(newval))
		}

		//course:step Otherwise wait a little and try again: the bit is only held for a moment. Let others have the CPU meanwhile (machine.Osyield). The runtime spins a few times before it does that.
		machine.Osyield()
	}
}
