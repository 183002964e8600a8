package ch05

import (
	"gosched/chapters/gmp"
	"gosched/chapters/machine"
)

// submission queues Gs, and lets Ms come for them.
type submission struct {
	s *gmp.Sched
}

// NewSubmission makes the Submission of s.
func NewSubmission(s *gmp.Sched) gmp.Submission { return &submission{s: s} }

// Newproc is the go statement.
//
//course:exercise
func (p *submission) Newproc(mp *gmp.M, fn machine.Addr) {
	//course:holds When the lock is free again the new G has an M, or as many run as may.
	//course:question From which moment on can another M know the new G?
	//course:step Which G executes the go statement, and where? At boot, and when a timer fires, none does, nowhere.
	callergp, callerpc := mp.Curg.Get(), machine.PC(0)
	if callergp != nil {
		callerpc = callergp.Sched.PC
	}
	//course:step Make the G, without the lock: no other M knows it yet.
	gp := p.s.Newproc1(mp, fn, callergp, callerpc)
	//course:step Queue it, and make sure that an M runs it.
	p.submit(mp, gp)
}

// Ready makes gp, which waits, runnable. There is no place for a G that is to run
// next, so next changes nothing.
//
//course:exercise
func (p *submission) Ready(mp *gmp.M, gp *gmp.G, next bool) {
	//course:holds Once gp is queued it can run; when the lock is free again it has an M, or as many run as may.
	//course:question An M may run gp at once, to its end. After each line, how much of gp is still yours?
	//course:step Only a G that waits can be made ready; a scan bit beside its state does not matter.
	if gp.Atomicstatus.Load()&^gmp.Gscan != gmp.Gwaiting {
		p.s.Throw("bad g->status in ready")
	}
	//course:step Change its state first: once it is queued, another M may run it.
	p.s.Casgstatus(gp, gmp.Gwaiting, gmp.Grunnable)
	//course:step Queue it, and make sure that an M runs it.
	p.submit(mp, gp)
}

// submit queues gp, which is runnable, and lets Ms come as long as more may run.
// Both are one step under the lock: otherwise an M that goes idle in between would
// see neither the G nor anything to wake it.
//
//course:omit
func (p *submission) submit(mp *gmp.M, gp *gmp.G) {
	p.s.Lock.Lock()
	p.s.Globrunqput(gp)
	p.s.Matchmg(mp)
	p.s.Lock.Unlock()
}

// GoschedImpl puts gp at the tail of the queue and schedules. It wakes no M,
// since mp itself is about to look for a G: if another M could run as well, the
// queue was empty, and gp is the one that mp will find.
//
//course:exercise
func (p *submission) GoschedImpl(mp *gmp.M, gp *gmp.G, preempted bool) {
	//course:holds By the time another M can take gp, mp has nothing more to do with it.
	//course:question Suppose one more M may run. What was in the queue when gp came, and what will mp find?
	//course:step gp can still run, but does not; mp and gp let go of each other. All of that comes first: once gp is queued, another M may run it.
	p.s.Casgstatus(gp, gmp.Grunning, gmp.Grunnable)
	p.s.Dropg(mp)
	//course:step To the tail.
	p.s.Lock.Lock()
	p.s.Globrunqput(gp)
	p.s.Lock.Unlock()
	//course:step Let the next one run.
	p.s.Schedule(mp)
}
