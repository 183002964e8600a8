package ch01

import (
	"gosched/chapters/gmp"
	"gosched/chapters/machine"
)

// freelists has no list for each M or P yet: all of them share those of s.
type freelists struct{ s *gmp.Sched }

// NewFreelists makes the part; it only stores s.
func NewFreelists(s *gmp.Sched) gmp.Freelists { return &freelists{s: s} }

// Gfget takes a dead G with a stack from the free list, nil if there is none.
//
//course:exercise
func (p *freelists) Gfget(mp *gmp.M) *gmp.G {
	//course:holds A G is given out once, and whoever holds GFree.Lock finds as many Gs as GFree.N says.
	//course:question From which moment on is the G yours alone?
	//course:lead Which of the things to be done concern the list, and which only the G? For which of them would another M have to wait for you?
	//course:step Under GFree.Lock, take the G that was put last: from GFree.Stack, and only if that is empty from GFree.NoStack. Count it, and unlink it. (GList has a method for the last one.)
	free := &p.s.GFree
	free.Lock.Lock()
	gp := free.Stack.Pop()
	if gp == nil {
		gp = free.NoStack.Pop()
	}
	if gp != nil {
		free.N.Set(free.N.Get() - 1)
	}
	free.Lock.Unlock()

	//course:step A G without a stack gets one of StartingStack bytes, and the guard that belongs to it. No lock is needed for that: gp is yours now.
	if gp != nil && gp.Stack.Get().Lo == 0 {
		gp.Stack.Set(p.s.Stackalloc(gmp.StartingStack))
		gp.Sched.Guard.Store(uint64(gp.Stack.Get().Lo) + gmp.StackGuard)
	}
	return gp
}

// Gfput puts the dead gp on the free list.
//
//course:exercise
func (p *freelists) Gfput(mp *gmp.M, gp *gmp.G) {
	//course:holds Whoever finds a G on a list can have it: nothing remains to be done with it.
	//course:step Refuse a G that is not Gdead.
	if st := gp.Atomicstatus.Load(); st != gmp.Gdead {
		p.s.Throwf("gfput: goroutine %d is %s, not dead", gp.Goid.Get(), gmp.StatusName(st))
	}

	//course:step Free a stack that has grown: a small one will most likely do for the next life. gp then has no stack.
	if gp.Stack.Get().Hi-gp.Stack.Get().Lo > gmp.StartingStack {
		p.s.Stackfree(gp.Stack.Get())
		gp.Stack.Set(machine.Stack{})
	}

	//course:step Put it first on the list that fits, with a stack or without, and count it, in a single section of GFree.Lock.
	free := &p.s.GFree
	free.Lock.Lock()
	if gp.Stack.Get().Lo == 0 {
		free.NoStack.Push(gp)
	} else {
		free.Stack.Push(gp)
	}
	free.N.Set(free.N.Get() + 1)
	free.Lock.Unlock()
}
