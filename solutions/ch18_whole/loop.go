package ch18

import "gosched/chapters/gmp"

// loop lets an M run one G after the other, or always the same one.
type loop struct {
	s *gmp.Sched
}

// NewLoop makes the Loop of s in the form of this chapter.
func NewLoop(s *gmp.Sched) gmp.Loop { return &loop{s: s} }

// Schedule finds a G for mp, which has none and holds a P, and executes it.
//
//course:exercise
func (p *loop) Schedule(mp *gmp.M) {
	//course:holds A G that is locked to an M runs there and nowhere else; and when mp runs a G it does not spin, so that another M looks for more.
	//course:question FindRunnable may have come back with another P. What have you looked at that belongs to the old one?
	s := p.s
	//course:step An M that must not be preempted must not schedule either.
	if mp.Locks.Get() != 0 {
		s.Throw("schedule: holding locks")
	}
	//course:step As in chapter 11: an M whose locked G has ended goes; one that is locked to a G waits for it.
	if mp.LockedExt.Get() != 0 && mp.Lockedg.Get() == nil {
		s.Mexit(mp)
		return
	}
	if gp := mp.Lockedg.Get(); gp != nil {
		s.Stoplockedm(mp)
		s.Execute(mp, gp, false)
		return
	}
	for {
		//course:step A P that looks for a G has stopped, so a request to do so is answered. And whoever looks for work has none.
		pp := mp.P.Get()
		pp.Preempt.Set(false)
		if mp.Spinning.Get() && !s.Runqempty(pp) {
			s.Throw("schedule: spinning with local work")
		}
		//course:step Find a G; say that mp no longer spins; wake another M if this G is none of the ordinary.
		gp, inheritTime, tryWakeP := s.FindRunnable(mp)
		if gp == nil {
			return
		}
		if mp.Spinning.Get() {
			s.Resetspinning(mp)
		}
		if tryWakeP {
			s.Wakep(mp)
		}
		//course:step If it is locked to another M, that one gets it, with the P.
		if gp.Lockedm.Get() == nil {
			s.Execute(mp, gp, inheritTime)
			return
		}
		s.Startlockedm(mp, gp)
	}
}

// Execute makes gp the current G of mp, as in chapter 11.
//
//course:exercise
func (p *loop) Execute(mp *gmp.M, gp *gmp.G, inheritTime bool) {
	//course:holds An M that sees a running G finds its M; Schedtick has counted each time slice once; and gp stops only if it is asked to from now on.
	//course:step Link M and G, both ways; gp was asked to stop for something that is over; and only then mark it running.
	mp.Curg.Set(gp)
	gp.M.Set(mp)
	mp.P.Get().Preempt.Set(false)
	gp.Preempt.Set(false)
	gp.Sched.Guard.Store(uint64(gp.Stack.Get().Lo) + gmp.StackGuard)
	p.s.Casgstatus(gp, gmp.Grunnable, gmp.Grunning)
	//course:step If a new time slice begins, count it on the P.
	if !inheritTime {
		mp.P.Get().Schedtick.Set(mp.P.Get().Schedtick.Get() + 1)
	}
}
