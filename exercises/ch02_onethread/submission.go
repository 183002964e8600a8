// This file is yours: what you write in it is kept. The task is in README.md
// beside it, and this command checks your code:
//
//	go run ./autograder test ch02

package ch02

import (
	"gosched/chapters/gmp"
	"gosched/chapters/machine"
)

// submission is for one thread; but the checks let another thread take the G as soon as
// that is possible, as it is from chapter 5 on.
//
// Submission is how a G becomes runnable and gets onto a queue: at the tail of the
// global one, until there are others.
type submission struct {
	s *gmp.Sched
}

// NewSubmission makes the Submission of s.
func NewSubmission(s *gmp.Sched) gmp.Submission { return &submission{s: s} }

// Newproc is the go statement: it makes a G for the closure fn, by Newproc1, and
// queues it. The caller is mp.Curg, at its saved pc, Sched.PC; at boot, and when
// a timer fires, there is no caller. The caller goes on. The runtime's newproc.
func (p *submission) Newproc(mp *gmp.M, fn machine.Addr) {
	// Holds: The queue is locked while it is touched, and no longer; and a G
	//        on it can be run as it is.
	// Question: Another M may run the new G as soon as s.Lock is free. Is
	//           there anything that you would still write into it?
	panic(gmp.TODO("Newproc"))
}

// Ready makes gp, which is Gwaiting, runnable and queues it. next asks for it to
// run next, where there is a runnext. Throws "bad g->status in ready" in any
// other state; Gwaiting with the scan bit set is not another state. The
// runtime's ready.
func (p *submission) Ready(mp *gmp.M, gp *gmp.G, next bool) {
	// Holds: A G that is on the queue is runnable, and the M that has put it
	//        there is done with it.
	// Question: Its state changes, and it gets onto the queue. Through which
	//           of the two can another M take it?
	panic(gmp.TODO("Ready"))
}

// GoschedImpl takes gp off mp, puts it at the tail of the global queue and
// schedules. As long as gp's state is Grunning it is linked to mp; when another M
// can take it from the queue, it is Grunnable and mp has let go of it. Once gp is
// queued and s.Lock is free it may run on another M, and end there: gp is no
// longer touched. preempted: gp did not ask for it. The runtime's goschedImpl.
func (p *submission) GoschedImpl(mp *gmp.M, gp *gmp.G, preempted bool) {
	// Holds: As long as gp counts as running it is linked to mp; from the
	//        moment when it can be taken from the queue, mp has let go of it.
	// Question: The state, the links and the queue change. One M looks at
	//           running Gs, another takes Gs from the queue. What must neither
	//           of them find?
	panic(gmp.TODO("GoschedImpl"))
}
