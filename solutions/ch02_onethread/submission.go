package ch02

import (
	"gosched/chapters/gmp"
	"gosched/chapters/machine"
)

// submission is for one thread; but the checks let another thread take the G as soon as
// that is possible, as it is from chapter 5 on.
type submission struct {
	s *gmp.Sched
}

// NewSubmission makes the Submission of s.
func NewSubmission(s *gmp.Sched) gmp.Submission { return &submission{s: s} }

// Newproc is the go statement. The new G waits for its turn at the tail of the
// queue, and the caller goes on.
//
//course:exercise
func (p *submission) Newproc(mp *gmp.M, fn machine.Addr) {
	//course:holds The queue is locked while it is touched, and no longer; and a G on it can be run as it is.
	//course:question Another M may run the new G as soon as s.Lock is free. Is there anything that you would still write into it?
	//course:step Which G executes the go statement, and where? At boot, none does, nowhere.
	callergp, callerpc := mp.Curg.Get(), machine.PC(0)
	if callergp != nil {
		callerpc = callergp.Sched.PC
	}
	//course:step Make the G; it is runnable from the start.
	gp := p.s.Newproc1(mp, fn, callergp, callerpc)
	//course:step Put it at the tail, under the lock.
	p.s.Lock.Lock()
	p.s.Globrunqput(gp)
	p.s.Lock.Unlock()
}

// Ready makes gp, which waits, runnable. The caller goes on. There is no place
// for a G that is to run next, so next changes nothing.
//
//course:exercise
func (p *submission) Ready(mp *gmp.M, gp *gmp.G, next bool) {
	//course:holds A G that is on the queue is runnable, and the M that has put it there is done with it.
	//course:question Its state changes, and it gets onto the queue. Through which of the two can another M take it?
	//course:step Only a G that waits can be made ready; a scan bit beside its state does not matter.
	if gp.Atomicstatus.Load()&^gmp.Gscan != gmp.Gwaiting {
		p.s.Throw("bad g->status in ready")
	}
	//course:step Change its state first: once it is queued, it may run.
	p.s.Casgstatus(gp, gmp.Gwaiting, gmp.Grunnable)
	//course:step Queue it at the tail, under the lock.
	p.s.Lock.Lock()
	p.s.Globrunqput(gp)
	p.s.Lock.Unlock()
}

// GoschedImpl is what Gosched does: gp goes to the end of the queue. A G whose
// time is up (preempted) is treated the same way.
//
//course:exercise
func (p *submission) GoschedImpl(mp *gmp.M, gp *gmp.G, preempted bool) {
	//course:holds As long as gp counts as running it is linked to mp; from the moment when it can be taken from the queue, mp has let go of it.
	//course:question The state, the links and the queue change. One M looks at running Gs, another takes Gs from the queue. What must neither of them find?
	//course:lead You also need s.Lock, and Schedule takes it itself. For which of the changes do you need it?
	//course:step gp can still run, but does not.
	p.s.Casgstatus(gp, gmp.Grunning, gmp.Grunnable)
	//course:step mp and gp let go of each other.
	p.s.Dropg(mp)
	//course:step To the tail: every other G that can run goes first.
	p.s.Lock.Lock()
	p.s.Globrunqput(gp)
	p.s.Lock.Unlock()
	//course:step Let the next one run.
	p.s.Schedule(mp)
}
