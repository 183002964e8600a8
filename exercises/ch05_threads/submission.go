// This file is yours: what you write in it is kept. The task is in README.md
// beside it, and this command checks your code:
//
//	go run ./autograder test ch05

package ch05

import (
	"gosched/chapters/gmp"
	"gosched/chapters/machine"
)

// submission is how a G becomes runnable. Now that there are other Ms, to queue it
// is not enough: somebody must come and run it. And it may run, and end, before
// the call returns.
type submission struct {
	s *gmp.Sched
}

// NewSubmission makes the Submission of s.
func NewSubmission(s *gmp.Sched) gmp.Submission { return &submission{s: s} }

// Newproc is the go statement.
func (p *submission) Newproc(mp *gmp.M, fn machine.Addr) {
	// 1. Who executes the go statement, and where? At boot, and when a timer
	//    fires, it is nobody, nowhere.
	// 2. Make the G, without the lock: nobody knows it yet.
	// 3. Queue it, and see that somebody runs it.
	panic(gmp.TODO("Newproc"))
}

// Ready makes gp, which waits, runnable. There is no place for a G that is to run
// next, so next changes nothing.
func (p *submission) Ready(mp *gmp.M, gp *gmp.G, next bool) {
	// 1. Only a G that waits can be made ready; a scan bit beside its state
	//    does not matter.
	// 2. Change its state first: once it is queued, another M may run it.
	// 3. Queue it, and see that somebody runs it.
	panic(gmp.TODO("Ready"))
}

// GoschedImpl puts gp at the tail of the queue and schedules. It wakes nobody,
// since mp itself is about to look for a G: if another M could run besides, the
// queue was empty, and gp is the one that mp will find.
func (p *submission) GoschedImpl(mp *gmp.M, gp *gmp.G, preempted bool) {
	// 1. gp can still run, but does not; mp and gp let go of each other. All
	//    that comes first: once gp is queued, another M may run it.
	// 2. To the tail.
	// 3. Let the next one run.
	panic(gmp.TODO("GoschedImpl"))
}
