package ch02

import "gosched/chapters/gmp"

// deadlock notices when nothing can ever run again.
type deadlock struct {
	s *gmp.Sched
}

// NewDeadlock makes the Deadlock of s.
func NewDeadlock(s *gmp.Sched) gmp.Deadlock { return &deadlock{s: s} }

// Checkdead is called with s.Lock held and throws with it held: nothing that
// could want the lock runs after it. With one thread, and nothing that
// goroutines could wait for but each other, an empty queue always means that the
// program is stuck; what is left to find out is how.
//
//course:exercise
func (p *deadlock) Checkdead() {
	//course:holds The program is not blamed for a G that the scheduler has lost.
	//course:question If the scheduler is right, in which states can Gs be when this is called? What do the other states tell you?
	//course:step Look at every G there is. The dead ones do not count.
	waiting := false
	p.s.ForEachG(func(gp *gmp.G) {
		switch gp.Atomicstatus.Load() &^ gmp.Gscan {
		//course:step A G that could run, or does, should have kept us away from here: the scheduler has lost it.
		case gmp.Grunnable, gmp.Grunning, gmp.Gsyscall:
			p.s.Throw("checkdead: runnable g")
		//course:step Record whether one waits.
		case gmp.Gwaiting, gmp.Gpreempted:
			waiting = true
		}
	})
	//course:step No goroutine is left at all: main has gone by Goexit, and the others have ended.
	if !waiting {
		p.s.Throw("no goroutines (main called runtime.Goexit) - deadlock!")
	}
	//course:step All that are left wait for each other.
	p.s.Throw("all goroutines are asleep - deadlock!")
}
