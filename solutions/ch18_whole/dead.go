package ch18

import "gosched/chapters/gmp"

// deadlock notices when nothing can ever run again.
type deadlock struct {
	s *gmp.Sched
}

// NewDeadlock makes the Deadlock of s in the form of this chapter.
func NewDeadlock(s *gmp.Sched) gmp.Deadlock { return &deadlock{s: s} }

// Checkdead is called, and throws, with s.Lock held.
//
//course:exercise
func (p *deadlock) Checkdead() {
	//course:holds It throws only if no M, no timer and no network can ever make a G of the program ready.
	//course:question Where in this count is the M that waits for the network? And the one that is in a system call? And the monitor, which may have just taken a P, or polled?
	s := p.s
	//course:step A program that is dying is about to end anyway.
	if s.Panicking.Load() > 0 {
		return
	}
	//course:step The Ms that could make something ready, as in chapter 5. Whoever waits for the network, or is in a call, is on no list, and so counts.
	awake := s.Mnext.Get() - s.Nmfreed.Get() - int64(s.Nmidle.Get()) - int64(s.Nmidlelocked.Get()) - int64(s.Nmsys.Get())
	if awake > 0 {
		return
	}
	if awake < 0 {
		s.Throw("checkdead: inconsistent counts")
	}
	//course:step The Gs of the program. Those of the system wait for as long as it runs.
	waiting := 0
	s.ForEachG(func(gp *gmp.G) {
		if s.IsSystemGoroutine(gp) {
			return
		}
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
	//course:step A timer will make one of them ready, or none; nobody can know.
	for _, pp := range s.Allp.Get() {
		if pp.Timers.Len.Load() > 0 {
			return
		}
	}
	s.Throw("all goroutines are asleep - deadlock!")
}
