package ch02

import "gosched/chapters/gmp"

// loop is the heart: one thread that picks a G and runs it.
type loop struct {
	s *gmp.Sched
}

// NewLoop makes the Loop of s.
func NewLoop(s *gmp.Sched) gmp.Loop { return &loop{s: s} }

// Schedule takes the G at the head of the global queue and executes it. Whoever
// calls it has already let go of its own G, so mp has none.
//
//course:exercise
func (p *loop) Schedule(mp *gmp.M) {
	//course:holds What was found out about the queue still holds when something follows from it; and a G that runs is on no queue.
	//course:question The queue was empty when you looked. Is it still empty when Checkdead says so to the program?
	//course:lead What must an M hold while it puts a G on the queue? When is the first moment at which it may get that?
	//course:step If the program is over, nothing runs any more: leave the queue alone.
	s := p.s
	if s.Exited() {
		return
	}
	//course:step Under the lock, take the next G.
	s.Lock.Lock()
	gp := s.Globrunqget()
	//course:step No G: with one thread, nothing is left that could make one ready. Let Checkdead say so, still under the lock.
	if gp == nil {
		s.Checkdead()
		s.Throw("schedule: the queue is empty, and checkdead did not throw")
	}
	s.Lock.Unlock()
	//course:step Let it run, without the lock, with a time slice of its own.
	s.Execute(mp, gp, false)
}

// Execute makes gp the current G of mp.
//
//course:exercise
func (p *loop) Execute(mp *gmp.M, gp *gmp.G, inheritTime bool) {
	//course:holds An M that finds a G running finds the M that it runs on.
	//course:question gp is on no queue, and mp is yours. Who can still look at gp, and what do they look at first?
	//course:step Link M and G, both ways. This comes first, so that a running G always has an M.
	mp.Curg.Set(gp)
	gp.M.Set(mp)
	//course:step Now it is running.
	p.s.Casgstatus(gp, gmp.Grunnable, gmp.Grunning)
	// The runtime would now jump to gp, by gogo. Here the router does it, when
	// Schedule has returned to it. Time slices begin in chapter 6.
}
