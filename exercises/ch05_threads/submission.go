// This file is yours: what you write in it is kept. The task is in README.md
// beside it, and this command checks your code:
//
//	go run ./autograder test ch05

package ch05

import (
	"gosched/chapters/gmp"
	"gosched/chapters/machine"
)

// submission queues Gs, and lets Ms come for them.
//
// Submission is how a G becomes runnable and gets onto a queue: at the tail of the
// global one, until there are others.
//
// From chapter 5 on it also makes sure that an M will run the G. Newproc1 is called
// without s.Lock, since no other M knows the new G yet.
//
// In chapter 5 Ready and Newproc queue the G and let Matchmg hand it over, if an M may
// come, in one step under s.Lock, so that the rule of Matching holds whenever the lock
// is free. GoschedImpl wakes no M: mp is about to ask for a G itself, and would find
// none if another M were woken for this one.
type submission struct {
	s *gmp.Sched
}

// NewSubmission makes the Submission of s.
func NewSubmission(s *gmp.Sched) gmp.Submission { return &submission{s: s} }

// Newproc is the go statement: it makes a G for the closure fn, by Newproc1, and
// queues it. The caller is mp.Curg, at its saved pc, Sched.PC; at boot, and when
// a timer fires, there is no caller. The caller goes on. The runtime's newproc.
func (p *submission) Newproc(mp *gmp.M, fn machine.Addr) {
	// Holds: When the lock is free again the new G has an M, or as many run as
	//        may.
	// Question: From which moment on can another M know the new G?
	panic(gmp.TODO("Newproc"))
}

// Ready makes gp, which is Gwaiting, runnable and queues it. next asks for it to
// run next, where there is a runnext. Throws "bad g->status in ready" in any
// other state; Gwaiting with the scan bit set is not another state. The
// runtime's ready.
func (p *submission) Ready(mp *gmp.M, gp *gmp.G, next bool) {
	// Holds: Once gp is queued it can run; when the lock is free again it has
	//        an M, or as many run as may.
	// Question: An M may run gp at once, to its end. After each line, how much
	//           of gp is still yours?
	panic(gmp.TODO("Ready"))
}

// GoschedImpl takes gp off mp, puts it at the tail of the global queue and
// schedules. As long as gp's state is Grunning it is linked to mp; when another M
// can take it from the queue, it is Grunnable and mp has let go of it. Once gp is
// queued and s.Lock is free it may run on another M, and end there: gp is no
// longer touched. preempted: gp did not ask for it. The runtime's goschedImpl.
func (p *submission) GoschedImpl(mp *gmp.M, gp *gmp.G, preempted bool) {
	// Holds: By the time another M can take gp, mp has nothing more to do with
	//        it.
	// Question: Suppose one more M may run. What was in the queue when gp
	//           came, and what will mp find?
	panic(gmp.TODO("GoschedImpl"))
}
