package ch06

import (
	"gosched/chapters/gmp"
	"gosched/chapters/machine"
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
type freelists struct {
	s *gmp.Sched
}

// NewFreelists makes the Freelists of s.
func NewFreelists(s *gmp.Sched) gmp.Freelists { return &freelists{s: s} }

// Gfget takes a dead G, with a stack, nil if there is none.
//
//course:exercise
func (p *freelists) Gfget(mp *gmp.M) *gmp.G {
	//course:holds Each dead G is on one list, or in the hands of one M; and no lock is taken for a P that has some.
	//course:question Several Ps may come to the shared list at the same time. Of what you have seen before, what is still true when you have the lock?
	s := p.s
	free := &mp.P.Get().GFree
	//course:step If the P has none, fetch some from s.GFree, under its lock: up to gfreeHalf, preferably ones with a stack.
	if free.Get().Head == nil {
		s.GFree.Lock.Lock()
		for free.Get().Size < gfreeHalf && s.GFree.N.Get() > 0 {
			gp := s.GFree.Stack.Pop()
			if gp == nil {
				gp = s.GFree.NoStack.Pop()
			}
			s.GFree.N.Set(s.GFree.N.Get() - 1)
			free.Push(gp)
		}
		s.GFree.Lock.Unlock()
	}
	//course:step Take the one that was put last. No lock is needed: it is on your own P.
	gp := free.Pop()
	//course:step If it has no stack, give it one, and the guard that belongs to it.
	if gp != nil && gp.Stack.Get().Lo == 0 {
		gp.Stack.Set(s.Stackalloc(gmp.StartingStack))
		gp.Sched.Guard.Store(uint64(gp.Stack.Get().Lo) + gmp.StackGuard)
	}
	return gp
}

// Gfput puts the dead gp on the list of mp's P.
//
//course:exercise
func (p *freelists) Gfput(mp *gmp.M, gp *gmp.G) {
	//course:holds The P has fewer than 64 dead Gs, and what was given away is for others to take.
	//course:question You give away many at once. From which moment on may another M have one of them, and what in it do you touch after that?
	s := p.s
	//course:step Refuse a G that is not Gdead, and free a stack that has grown, as in chapter 1.
	if st := gp.Atomicstatus.Load(); st != gmp.Gdead {
		s.Throwf("gfput: goroutine %d is %s, not dead", gp.Goid.Get(), gmp.StatusName(st))
	}
	if gp.Stack.Get().Hi-gp.Stack.Get().Lo > gmp.StartingStack {
		s.Stackfree(gp.Stack.Get())
		gp.Stack.Set(machine.Stack{})
	}
	//course:step It comes first on the list of the P.
	pp := mp.P.Get()
	pp.GFree.Push(gp)
	//course:step If that now has gfreeMax, give some to s.GFree, until fewer than gfreeHalf are left.
	if pp.GFree.Get().Size >= gfreeMax {
		s.GFree.Lock.Lock()
		giveGs(s, pp, gfreeHalf-1)
		s.GFree.Lock.Unlock()
	}
}

// giveGs moves dead Gs of pp to s.GFree until only keep are left. GFree.Lock is
// held.
//
//course:omit
func giveGs(s *gmp.Sched, pp *gmp.P, keep int32) {
	for pp.GFree.Get().Size > keep {
		gp := pp.GFree.Pop()
		if gp.Stack.Get().Lo == 0 {
			s.GFree.NoStack.Push(gp)
		} else {
			s.GFree.Stack.Push(gp)
		}
		s.GFree.N.Set(s.GFree.N.Get() + 1)
	}
}
