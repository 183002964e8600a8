// This file is yours: what you write in it is kept. The task is in README.md
// beside it, and this command checks your code:
//
//	go run ./autograder test ch02

package ch02

import "gosched/chapters/gmp"

// boot begins and ends a program. When Schedinit runs, nothing else does, so it
// needs no lock.
type boot struct {
	s *gmp.Sched
}

// NewBoot makes the Boot of s.
func NewBoot(s *gmp.Sched) gmp.Boot { return &boot{s: s} }

// maxThreads is how many Ms there may be, unless a program says otherwise.
const maxThreads = 10000

// Schedinit prepares s and makes the main goroutine. It does not run it: that is
// for Schedule, which the router calls next.
func (p *boot) Schedinit(mp *gmp.M) {
	// 1. The limit on Ms.
	// 2. Nothing is queued, nothing is on a free list, no Goid is given out.
	// 3. The first go statement of all: that of the main goroutine.
	panic(gmp.TODO("Schedinit"))
}

// MainExit ends the program. The other Gs stay where they are, on the queue or
// asleep; no one will ever schedule again.
func (p *boot) MainExit(mp *gmp.M, gp *gmp.G) {
	// 1. Run the exit hooks, the last one first. Each is off the list before
	//    it runs, so that none runs twice.
	// 2. Main's return is a success, whatever the others are doing.
	panic(gmp.TODO("MainExit"))
}
