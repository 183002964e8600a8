package ch05

import "gosched/chapters/gmp"

// deadlock notices when nothing can ever run again. That an M has nothing to do no
// longer means that: another M may be about to make a G ready.
type deadlock struct {
	s *gmp.Sched
}

// NewDeadlock makes the Deadlock of s.
func NewDeadlock(s *gmp.Sched) gmp.Deadlock { return &deadlock{s: s} }

// Checkdead is called, and throws, with s.Lock held.
//
//course:exercise
func (p *deadlock) Checkdead() {
	//course:holds It throws only if no M and no timer can ever make a G ready.
	//course:question A timer fires on a thread that is not an M. In which states may its G be while you look, and which of your looks would that deceive?
	s := p.s
	//course:step How many Ms are left that could make something ready? All that were made or reserved, without those that are gone, idle, idle with a locked G, or the system's own.
	awake := s.Mnext.Get() - s.Nmfreed.Get() - int64(s.Nmidle.Get()) - int64(s.Nmidlelocked.Get()) - int64(s.Nmsys.Get())
	//course:step If there are any, nothing more can be said.
	if awake > 0 {
		return
	}
	//course:step If there are fewer than none, something has been counted wrong.
	if awake < 0 {
		s.Throw("checkdead: inconsistent counts")
	}
	//course:step A timer may make something ready. This comes before the look at the Gs, since it may be firing now, on a thread that is not counted.
	if s.Timerlist.Len.Load() > 0 {
		return
	}
	for _, pp := range s.Allp.Get() {
		if pp.Timers.Len.Load() > 0 {
			return
		}
	}
	//course:step Now look at every G there is, as in chapter 2.
	waiting := 0
	s.ForEachG(func(gp *gmp.G) {
		switch gp.Atomicstatus.Load() &^ gmp.Gscan {
		case gmp.Grunnable, gmp.Grunning, gmp.Gsyscall:
			s.Throw("checkdead: runnable g")
		case gmp.Gwaiting, gmp.Gpreempted:
			waiting++
		}
	})
	if waiting == 0 {
		s.Throw("no goroutines (main called runtime.Goexit) - deadlock!")
	}
	s.Throw("all goroutines are asleep - deadlock!")
}
