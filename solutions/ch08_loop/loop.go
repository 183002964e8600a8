// Package ch08 is the loop and its fairness: chapter 8, Go 1.2 to 1.5.
//
// Each M first looks for a G in its own P's queue, where it disturbs no other M. So
// that the others are not forgotten, every 61st time it looks at the global queue
// before that; and two Gs that wake each other share one time slice.
package ch08

import "gosched/chapters/gmp"

// Parts are the parts of this chapter.
var Parts = gmp.Version{
	Loop:       NewLoop,
	Submission: NewSubmission,
	Sources:    NewSources,
	Finder:     NewFinder,
}

// loop lets an M run one G after the other.
type loop struct {
	s *gmp.Sched
}

// NewLoop makes the Loop of s.
func NewLoop(s *gmp.Sched) gmp.Loop { return &loop{s: s} }

// Schedule finds a G for mp, which has none and holds a P, and executes it.
//
//course:exercise
func (p *loop) Schedule(mp *gmp.M) {
	//course:holds When the G starts to run, mp is not counted among those that look for work; and mp gets a G, unless the program is over.
	//course:question In the runtime Execute does not return. What must be said before it?
	s := p.s
	//course:step An M that spins has nothing to do. If there is a G in its queue, there is a mistake somewhere; throw "schedule: spinning with local work".
	if mp.Spinning.Get() && !s.Runqempty(mp.P.Get()) {
		s.Throw("schedule: spinning with local work")
	}
	//course:step Find a G. That may take long, and mp may have a different P afterwards. There is none only if the program is over.
	gp, inheritTime, tryWakeP := s.FindRunnable(mp)
	if gp == nil {
		return
	}
	//course:step mp has something to do, so it no longer spins. This must be said before gp runs, since gp may run for long: the last M that spins makes sure that another looks for more.
	if mp.Spinning.Get() {
		s.Resetspinning(mp)
	}
	//course:step If gp is not an ordinary G, there may be ordinary work for another P.
	if tryWakeP {
		s.Wakep(mp)
	}
	//course:step Let it run.
	s.Execute(mp, gp, inheritTime)
}

// Execute makes gp the current G of mp. gp was taken off a queue, by mp, in one atomic
// step or under a lock: no other M has it.
//
//course:exercise
func (p *loop) Execute(mp *gmp.M, gp *gmp.G, inheritTime bool) {
	//course:holds An M that sees a running G finds its M; Schedtick has counted each time slice once; and gp stops only if it is asked to from now on.
	//course:step Link M and G, both ways, and only then mark it running: a running G always has an M.
	mp.Curg.Set(gp)
	gp.M.Set(mp)
	//course:step If gp was asked to stop, it has done so: forget the request, and put the guard right.
	gp.Preempt.Set(false)
	gp.Sched.Guard.Store(uint64(gp.Stack.Get().Lo) + gmp.StackGuard)
	p.s.Casgstatus(gp, gmp.Grunnable, gmp.Grunning)
	//course:step If a new time slice begins, count it on the P.
	if !inheritTime {
		mp.P.Get().Schedtick.Set(mp.P.Get().Schedtick.Get() + 1)
	}
}
