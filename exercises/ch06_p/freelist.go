// This file is yours: what you write in it is kept. The task is in README.md
// beside it, and this command checks your code:
//
//	go run ./autograder test ch06

package ch06

import (
	"gosched/chapters/gmp"
)

// A P's list of dead Gs has fewer than gfreeMax of them. It gives away or fetches so
// many at once that it has about gfreeHalf afterwards: so a P that only ends Gs, or
// only makes them, needs the lock once in 32 times.
const (
	gfreeMax  = 64
	gfreeHalf = 32
)

// freelists keeps dead Gs in mp.P.GFree, which no other M touches, and when that has
// too many, in s.GFree, under its lock.
//
// Freelists keeps dead Gs for reuse, in s.GFree: those that have a stack on the list
// Stack, the others on NoStack; N is the number on both together. GFree.Lock is held
// whenever one of the three is read or changed. A G that is no longer on a list has
// no Schedlink. Up to chapter 5 other parts read N alone, so a part may keep the Gs in a
// way of its own; from chapter 6 on Procresize, too, puts Gs on the two lists.
type freelists struct {
	s *gmp.Sched
}

// NewFreelists makes the Freelists of s.
func NewFreelists(s *gmp.Sched) gmp.Freelists { return &freelists{s: s} }

// Gfget takes a G from the free list, nil if there is none: of the Gs that
// still have a stack the one put last, and only if there are none, of the others
// the one put last. A G without a stack gets one (Sched.Stackalloc of
// StartingStack bytes), so that the caller finds Stack and the guard, G.Sched.Guard,
// set. Called without GFree.Lock held.
//
// From chapter 6 on each P has one list for both kinds, mp.P.GFree, with s.GFree
// behind it. Gfget takes the G that was put on the P's list last, with a stack or
// without. If that list is empty, it first moves up to 32 Gs there, under
// GFree.Lock, those with a stack before the others; so one without may be taken
// first.
//
// The runtime's gfget.
func (p *freelists) Gfget(mp *gmp.M) *gmp.G {
	// Holds: Each dead G is on one list, or in the hands of one M; and no lock
	//        is taken for a P that has some.
	// Question: Several Ps may come to the shared list at the same time. Of
	//           what you have seen before, what is still true when you have
	//           the lock?
	panic(gmp.TODO("Gfget"))
}

// Gfput puts gp, which is Gdead, on the free list; if gp is in another state it
// throws, and puts it nowhere. A stack that has grown beyond StartingStack is
// freed (Sched.Stackfree), and gp's Stack is then zero. Called without
// GFree.Lock held.
//
// From chapter 6 on, a P whose list has reached 64 Gs moves Gs to s.GFree until
// 31 are left.
//
// The runtime's gfput.
func (p *freelists) Gfput(mp *gmp.M, gp *gmp.G) {
	// Holds: The P has fewer than 64 dead Gs, and what was given away is for
	//        others to take.
	// Question: You give away many at once. From which moment on may another M
	//           have one of them, and what in it do you touch after that?
	panic(gmp.TODO("Gfput"))
}
