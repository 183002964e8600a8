package ch08

import (
	"gosched/chapters/gmp"
	"gosched/chapters/machine"
)

// submission puts a G on the queue of the P that the caller holds. In every method the G is
// queued first and Wakep comes after: an M that is about to sleep either sees the G, or is seen
// by Wakep.
type submission struct {
	s *gmp.Sched
}

// NewSubmission makes the Submission of s.
func NewSubmission(s *gmp.Sched) gmp.Submission { return &submission{s: s} }

// Ready makes gp, which waits, runnable.
//
//course:exercise
func (p *submission) Ready(mp *gmp.M, gp *gmp.G, next bool) {
	//course:holds An M that takes the G off the queue finds it runnable, and has it alone; and an M that is about to sleep either sees the G, or is seen by Wakep.
	//course:question Another M may take the G as soon as it is queued. What must be done before, and what only afterwards?
	s := p.s
	//course:step Only a G that waits can be made ready; a scan bit beside its state does not matter.
	if gp.Atomicstatus.Load()&^gmp.Gscan != gmp.Gwaiting {
		s.Throw("bad g->status in ready")
	}
	//course:step Change its state first: once it is queued, another M may steal and run it.
	s.Casgstatus(gp, gmp.Gwaiting, gmp.Grunnable)
	//course:step Queue it here, and make sure that an M comes if a P is idle.
	s.Runqput(mp.P.Get(), gp, next)
	s.Wakep(mp)
}

// Newproc is the go statement.
//
//course:exercise
func (p *submission) Newproc(mp *gmp.M, fn machine.Addr) {
	//course:holds From the moment when the new G is queued it is not looked at any more; and an M comes for it, even if mp goes on for long.
	//course:question The main goroutine needs no other M. How do you know whether the new G is the main one, and when can you know?
	s := p.s
	//course:step Which G executes the go statement, and where? At boot, and when a timer fires, none does, nowhere.
	callergp, callerpc := mp.Curg.Get(), machine.PC(0)
	if callergp != nil {
		callerpc = callergp.Sched.PC
	}
	//course:step Make the G. Look at its number now: once it is queued, it may run elsewhere, end, and be used again.
	gp := s.Newproc1(mp, fn, callergp, callerpc)
	first := gp.Goid.Get() == 1
	//course:step Queue it here, to run next.
	s.Runqput(mp.P.Get(), gp, true)
	//course:step Make sure that an M comes if a P is idle; but not for the main goroutine, the first of all: mp itself is about to run that.
	if !first {
		s.Wakep(mp)
	}
}

// GoschedImpl takes gp off mp, and lets others run before it.
//
//course:exercise
func (p *submission) GoschedImpl(mp *gmp.M, gp *gmp.G, preempted bool) {
	//course:holds The G is behind all those that wait on the global queue, and belongs to no M; and if a P is idle an M comes for it, although mp may run others.
	//course:question From which moment on may another M run the G? What has to be over by then?
	s := p.s
	//course:step gp can still run, but does not; mp and gp let go of each other. That comes first: once gp is queued, another M may run it.
	s.Casgstatus(gp, gmp.Grunning, gmp.Grunnable)
	s.Dropg(mp)
	//course:step To the tail of the global queue, and not of its own P's: there it would be the next one again if no other G is there.
	s.Lock.Lock()
	s.Globrunqput(gp)
	s.Lock.Unlock()
	//course:step mp goes on with its own queue. Another P, if one is idle, may take gp.
	s.Wakep(mp)
	//course:step Let the next one run.
	s.Schedule(mp)
}
