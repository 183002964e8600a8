// This file is yours: what you write in it is kept. The task is in README.md
// beside it, and this command checks your code:
//
//	go run ./autograder test ch01

package ch01

import (
	"gosched/chapters/gmp"
)

// freelists has no list for each M or P yet: all of them share those of s.
//
// Freelists keeps dead Gs for reuse, in s.GFree: those that have a stack on the list
// Stack, the others on NoStack; N is the number on both together. GFree.Lock is held
// whenever one of the three is read or changed. A G that is no longer on a list has
// no Schedlink. Up to chapter 5 other parts read N alone, so a part may keep the Gs in a
// way of its own; from chapter 6 on Procresize, too, puts Gs on the two lists.
type freelists struct{ s *gmp.Sched }

// NewFreelists makes the part; it only stores s.
func NewFreelists(s *gmp.Sched) gmp.Freelists { return &freelists{s: s} }

// Gfget takes a G from the free list, nil if there is none: of the Gs that
// still have a stack the one put last, and only if there are none, of the others
// the one put last. A G without a stack gets one (Sched.Stackalloc of
// StartingStack bytes), so that the caller finds Stack and the guard, G.Sched.Guard,
// set. Called without GFree.Lock held.
//
// The runtime's gfget.
func (p *freelists) Gfget(mp *gmp.M) *gmp.G {
	// Holds: A G is given out once, and whoever holds GFree.Lock finds as many
	//        Gs as GFree.N says.
	// Question: From which moment on is the G yours alone?
	panic(gmp.TODO("Gfget"))
}

// Gfput puts gp, which is Gdead, on the free list; if gp is in another state it
// throws, and puts it nowhere. A stack that has grown beyond StartingStack is
// freed (Sched.Stackfree), and gp's Stack is then zero. Called without
// GFree.Lock held.
//
// The runtime's gfput.
func (p *freelists) Gfput(mp *gmp.M, gp *gmp.G) {
	// Holds: Whoever finds a G on a list can have it: nothing remains to be
	//        done with it.
	panic(gmp.TODO("Gfput"))
}
