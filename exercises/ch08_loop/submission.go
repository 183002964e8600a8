// This file is yours: what you write in it is kept. The task is in README.md
// beside it, and this command checks your code:
//
//	go run ./autograder test ch08

package ch08

import (
	"gosched/chapters/gmp"
	"gosched/chapters/machine"
)

// submission is how a G becomes runnable. It goes on the queue of the P that the
// caller holds. In every method the G is queued first and Wakep comes after: an M
// that is about to sleep either sees the G, or is seen by Wakep.
type submission struct {
	s *gmp.Sched
}

// NewSubmission makes the Submission of s.
func NewSubmission(s *gmp.Sched) gmp.Submission { return &submission{s: s} }

// Ready makes gp, which waits, runnable.
func (p *submission) Ready(mp *gmp.M, gp *gmp.G, next bool) {
	// 1. Only a G that waits can be made ready; a scan bit beside its state
	//    does not matter.
	// 2. Change its state first: once it is queued, another M may steal and
	//    run it.
	// 3. Queue it here, and see that somebody comes if a P is idle.
	panic(gmp.TODO("Ready"))
}

// Newproc is the go statement.
func (p *submission) Newproc(mp *gmp.M, fn machine.Addr) {
	// 1. Who executes the go statement, and where? At boot, and when a timer
	//    fires, it is nobody, nowhere.
	// 2. Make the G. Look at its number now: once it is queued, it may run
	//    elsewhere, end, and be used again.
	// 3. Queue it here, to run next.
	// 4. See that somebody comes if a P is idle; but not for the main
	//    goroutine, the first of all: mp itself is about to run that.
	panic(gmp.TODO("Newproc"))
}

// GoschedImpl takes gp off mp, and lets others run before it.
func (p *submission) GoschedImpl(mp *gmp.M, gp *gmp.G, preempted bool) {
	// 1. gp can still run, but does not; mp and gp let go of each other. That
	//    comes first: once gp is queued, another M may run it.
	// 2. To the tail of the global queue, and not of the own one: there it
	//    would be the next one again if nobody else is there.
	// 3. mp goes on with its own queue. Another P, if one is idle, may take
	//    gp.
	// 4. Let the next one run.
	panic(gmp.TODO("GoschedImpl"))
}
