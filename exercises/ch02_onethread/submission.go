// This file is yours: what you write in it is kept. The task is in README.md
// beside it, and this command checks your code:
//
//	go run ./autograder test ch02

package ch02

import (
	"gosched/chapters/gmp"
	"gosched/chapters/machine"
)

// submission is how a G becomes runnable: for the first time, again, or still.
// In each case its state changes before it is queued, because from then on
// another thread may find it and run it. (There is none yet; chapter 5 has some.)
type submission struct {
	s *gmp.Sched
}

// NewSubmission makes the Submission of s.
func NewSubmission(s *gmp.Sched) gmp.Submission { return &submission{s: s} }

// Newproc is the go statement. The new G waits for its turn at the tail of the
// queue, and the caller goes on.
func (p *submission) Newproc(mp *gmp.M, fn machine.Addr) {
	// 1. Who executes the go statement, and where? At boot it is nobody,
	//    nowhere.
	// 2. Make the G; it is runnable from the start.
	// 3. Put it at the tail, under the lock.
	panic(gmp.TODO("Newproc"))
}

// Ready makes gp, which waits, runnable. The caller goes on. There is no place
// for a G that is to run next, so next changes nothing.
func (p *submission) Ready(mp *gmp.M, gp *gmp.G, next bool) {
	// 1. Only a G that waits can be made ready; a scan bit beside its state
	//    does not matter.
	// 2. Change its state first: once it is queued, it may run.
	// 3. Queue it at the tail, under the lock.
	panic(gmp.TODO("Ready"))
}

// GoschedImpl is what Gosched does: gp goes to the end of the queue. A G whose
// time is up (preempted) is treated alike.
func (p *submission) GoschedImpl(mp *gmp.M, gp *gmp.G, preempted bool) {
	// 1. gp can still run, but does not.
	// 2. mp and gp let go of each other.
	// 3. To the tail: everybody else who can run goes first.
	// 4. Let the next one run.
	panic(gmp.TODO("GoschedImpl"))
}
