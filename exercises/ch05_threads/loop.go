// This file is yours: what you write in it is kept. The task is in README.md
// beside it, and this command checks your code:
//
//	go run ./autograder test ch05

package ch05

import "gosched/chapters/gmp"

// loop is the heart: each M picks a G and runs it. It sleeps when there is none.
type loop struct {
	s *gmp.Sched
}

// NewLoop makes the Loop of s.
func NewLoop(s *gmp.Sched) gmp.Loop { return &loop{s: s} }

// Schedule finds a G for mp and executes it. mp has none: it has let go of the one
// before, or is new.
func (p *loop) Schedule(mp *gmp.M) {
	// 1. If the program is over, perhaps by another M, nothing runs any more.
	// 2. Take the lock, and with it the next G. That may take long: mp may
	//    sleep meanwhile, but not with the lock.
	// 3. Let it run, without the lock, with a time slice of its own.
	panic(gmp.TODO("Schedule"))
}

// Execute makes gp the current G of mp. gp was taken off the queue under the lock,
// so no other M has it.
func (p *loop) Execute(mp *gmp.M, gp *gmp.G, inheritTime bool) {
	// 1. Link M and G, both ways, and then let it be running: a running G
	//    always has an M.
	panic(gmp.TODO("Execute"))
}
