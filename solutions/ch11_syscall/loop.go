package ch11

import "gosched/chapters/gmp"

// loop lets an M run one G after the other, or always the same one.
type loop struct {
	s *gmp.Sched
}

// NewLoop makes the Loop of s.
func NewLoop(s *gmp.Sched) gmp.Loop { return &loop{s: s} }

// Schedule finds a G for mp, which has none and holds a P, and executes it.
//
//course:exercise
func (p *loop) Schedule(mp *gmp.M) {
	//course:holds A G that is locked to an M runs there and nowhere else, and that M runs nothing else.
	//course:question mp has found a G that is locked to another M. It has a P, and it may spin. What becomes of both?
	s := p.s
	//course:step The G to which mp was locked has ended, and has not unlocked it: mp is not fit for others.
	if mp.LockedExt.Get() != 0 && mp.Lockedg.Get() == nil {
		s.Mexit(mp)
		return
	}
	//course:step mp is locked to a G: it has no other, and waits for it.
	if gp := mp.Lockedg.Get(); gp != nil {
		s.Stoplockedm(mp)
		s.Execute(mp, gp, false)
		return
	}
	for {
		//course:step As in chapter 8: find a G; then say that mp no longer spins, and wake another M if need be.
		if mp.Spinning.Get() && !s.Runqempty(mp.P.Get()) {
			s.Throw("schedule: spinning with local work")
		}
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
		if gp.Lockedm.Get() == nil {
			s.Execute(mp, gp, inheritTime)
			return
		}
		//course:step It is for another M. That one gets the P, too, and mp looks for something else when it has another P.
		s.Startlockedm(mp, gp)
	}
}

// Execute makes gp the current G of mp, as in chapter 8. gp was taken off a queue, by mp,
// or is locked to mp: no other M has it.
//
//course:exercise
func (p *loop) Execute(mp *gmp.M, gp *gmp.G, inheritTime bool) {
	//course:holds An M that sees a running G finds its M; Schedtick has counted each time slice once; and gp stops only if it is asked to from now on.
	//course:step Link M and G, both ways, and only then mark it running: a running G always has an M.
	mp.Curg.Set(gp)
	gp.M.Set(mp)
	//course:step If gp was asked to stop, it has done so: forget the request, and put the guard right. In a Go with signals the P was asked, too.
	if p.s.HasSignals() {
		mp.P.Get().Preempt.Set(false)
	}
	gp.Preempt.Set(false)
	gp.Sched.Guard.Store(uint64(gp.Stack.Get().Lo) + gmp.StackGuard)
	p.s.Casgstatus(gp, gmp.Grunnable, gmp.Grunning)
	//course:step If a new time slice begins, count it on the P.
	if !inheritTime {
		mp.P.Get().Schedtick.Set(mp.P.Get().Schedtick.Get() + 1)
	}
}
