package ch05

import "gosched/chapters/gmp"

// loop is the heart: each M picks a G and runs it. It sleeps when there is none.
type loop struct {
	s *gmp.Sched
}

// NewLoop makes the Loop of s.
func NewLoop(s *gmp.Sched) gmp.Loop { return &loop{s: s} }

// Schedule finds a G for mp and executes it. mp has none: it has let go of the
// previous one, or is new.
//
//course:exercise
func (p *loop) Schedule(mp *gmp.M) {
	//course:holds mp runs a G that no other M has, without the lock; or the program is over.
	//course:step If the program is over, perhaps ended by another M, nothing runs any more.
	s := p.s
	if s.Exited() {
		return
	}
	//course:step Take the lock, and with it the next G. That may take long: mp may sleep meanwhile, but not with the lock.
	s.Lock.Lock()
	gp := s.NextGAndUnlock(mp)
	//course:step Let it run, without the lock, with a time slice of its own.
	s.Execute(mp, gp, false)
}

// Execute makes gp the current G of mp. gp was taken off the queue under the lock,
// so no other M has it.
//
//course:exercise
func (p *loop) Execute(mp *gmp.M, gp *gmp.G, inheritTime bool) {
	//course:holds An M that sees that gp runs finds the M that runs it.
	//course:step Link M and G, both ways, and only then mark it running: a running G always has an M.
	mp.Curg.Set(gp)
	gp.M.Set(mp)
	p.s.Casgstatus(gp, gmp.Grunnable, gmp.Grunning)
}
