// This file is yours: what you write in it is kept. The task is in README.md
// beside it, and this command checks your code:
//
//	go run ./autograder test ch08

package ch08

import (
	"gosched/chapters/gmp"
	"gosched/chapters/machine"
)

// submission puts a G on the queue of the P that the caller holds. In every method the G is
// queued first and Wakep comes after: an M that is about to sleep either sees the G, or is seen
// by Wakep.
//
// Submission is how a G becomes runnable and gets onto a queue: at the tail of the
// global one, until there are others.
//
// From chapter 5 on it also makes sure that an M will run the G. Newproc1 is called
// without s.Lock, since no other M knows the new G yet.
//
// From chapter 8 on each method that queues a G then calls Wakep, so that an M comes for it
// if a P is idle; only the main goroutine, the first, needs no M woken. Whether a P is idle
// is for Wakep to see: an M may be about to give one back without the caller knowing
// (golang/go#45867, chapter 10). Calling it once too often is no mistake. Ready and Newproc
// put the G on the queue of mp's P, by Runqput, and Newproc asks for it to run next.
type submission struct {
	s *gmp.Sched
}

// NewSubmission makes the Submission of s.
func NewSubmission(s *gmp.Sched) gmp.Submission { return &submission{s: s} }

// Ready makes gp, which is Gwaiting, runnable and queues it. next asks for it to
// run next, where there is a runnext. Throws "bad g->status in ready" in any
// other state; Gwaiting with the scan bit set is not another state. The
// runtime's ready.
func (p *submission) Ready(mp *gmp.M, gp *gmp.G, next bool) {
	// Holds: An M that takes the G off the queue finds it runnable, and has it
	//        alone; and an M that is about to sleep either sees the G, or is
	//        seen by Wakep.
	// Question: Another M may take the G as soon as it is queued. What must be
	//           done before, and what only afterwards?
	panic(gmp.TODO("Ready"))
}

// Newproc is the go statement: it makes a G for the closure fn, by Newproc1, and
// queues it. The caller is mp.Curg, at its saved pc, Sched.PC; at boot, and when
// a timer fires, there is no caller. The caller goes on. The runtime's newproc.
func (p *submission) Newproc(mp *gmp.M, fn machine.Addr) {
	// Holds: From the moment when the new G is queued it is not looked at any
	//        more; and an M comes for it, even if mp goes on for long.
	// Question: The main goroutine needs no other M. How do you know whether
	//           the new G is the main one, and when can you know?
	panic(gmp.TODO("Newproc"))
}

// GoschedImpl takes gp off mp, puts it at the tail of the global queue and
// schedules. As long as gp's state is Grunning it is linked to mp; when another M
// can take it from the queue, it is Grunnable and mp has let go of it. Once gp is
// queued and s.Lock is free it may run on another M, and end there: gp is no
// longer touched. preempted: gp did not ask for it. The runtime's goschedImpl.
func (p *submission) GoschedImpl(mp *gmp.M, gp *gmp.G, preempted bool) {
	// Holds: The G is behind all those that wait on the global queue, and
	//        belongs to no M; and if a P is idle an M comes for it, although
	//        mp may run others.
	// Question: From which moment on may another M run the G? What has to be
	//           over by then?
	panic(gmp.TODO("GoschedImpl"))
}
