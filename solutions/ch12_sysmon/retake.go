package ch12

import (
	"gosched/chapters/gmp"
	"gosched/chapters/machine"
)

// slice is how long a G, or several that wake each other, may keep a P, in ns: the runtime's
// forcePreemptNS.
const slice = 10_000_000

// Retake looks at all Ps.
//
//course:exercise
func (p *monitor) Retake(mp *gmp.M, now int64) uint32 {
	//course:holds A slice that has lasted for 10 ms is asked to end, and no P stays in a system call while a G waits for it; a slice that has just begun is left alone.
	//course:question Between two rounds a G ends its slice, and another one begins. How do you tell that from one that never ended?
	//course:lead You see a number now, and a number that you noted some time ago. What follows if they are the same, and what if they are not?
	s := p.s
	//course:step The list of Ps changes while the world is stopped, and the monitor does not stop with it. A P that is no longer on the list does no harm.
	s.Lock.Lock()
	allp := s.Allp.Get()
	s.Lock.Unlock()
	taken := uint32(0)
	for _, pp := range allp {
		//course:step A P that is idle, stopped or dead needs nothing.
		if st := pp.Status.Load(); st != gmp.Prunning && st != gmp.Psyscall {
			continue
		}
		//course:step A slice that was not there last time begins now, as far as anyone knows. If it is the same one, its 10 ms may be over.
		due := false
		tick := pp.Sysmontick.Get()
		if t := pp.Schedtick.Look(); t != tick.Schedtick {
			tick.Schedtick, tick.Schedwhen = t, now
			pp.Sysmontick.Set(tick)
		} else if tick.Schedwhen+slice <= now {
			s.Preemptone(mp, pp)
			due = true
		}
		//course:step A G in a system call cannot stop; but its P can be taken.
		if s.RetakeSyscall(mp, pp, now, due) {
			taken++
		}
	}
	return taken
}

// Preemptone asks a G to stop.
//
//course:exercise
func (p *monitor) Preemptone(mp *gmp.M, pp *gmp.P) bool {
	//course:holds If the G that was seen there goes on with this slice, it finds the request at its next prologue, whatever its M does with the guard meanwhile.
	//course:question Its M sets the guard anew between your two steps, and then looks at Preempt. What does it find, and what if you take the steps the other way round?
	//course:lead Between any two of your looks the M may have another G, or none, and the G another life. What may you rely on, and what may you still write?
	s := p.s
	//course:step Who is there? Look once at each: the second look may find something else.
	target := pp.M.Look()
	if target == nil || target == mp {
		return false
	}
	gp := target.Curg.Look()
	if gp == nil || gp.Atomicstatus.Load()&^gmp.Gscan == gmp.Gsyscall {
		return false
	}
	//course:step Preempt remembers the request, and the guard makes the next prologue ask. Whoever overwrites the guard looks at Preempt afterwards; so that comes first.
	gp.Preempt.Set(true)
	gp.Sched.Guard.Store(machine.StackPreempt)
	//course:step From Go 1.14 on a signal does the same for a G without a prologue.
	if s.HasSignals() {
		pp.Preempt.Set(true)
		s.PreemptM(mp, target)
	}
	return true
}

// Preemptall asks all of them.
//
//course:exercise
func (p *monitor) Preemptall(mp *gmp.M) bool {
	asked := false
	for _, pp := range p.s.Allp.Get() {
		//course:step All of those that run, not only the first.
		if pp.Status.Load() == gmp.Prunning && p.s.Preemptone(mp, pp) {
			asked = true
		}
	}
	return asked
}
