package ch01

import (
	"gosched/chapters/gmp"
	"gosched/chapters/machine"
)

// freelists keeps dead Gs in s.GFree, under its lock.
type freelists struct{ s *gmp.Sched }

// NewFreelists makes the part; it only stores s.
func NewFreelists(s *gmp.Sched) gmp.Freelists { return &freelists{s} }

// Gfget takes a dead G with a stack from the free list, nil if there is none.
//
//course:exercise
func (p *freelists) Gfget(mp *gmp.M) *gmp.G {
	//course:step Take, under GFree.Lock, the G that was put last: from GFree.Stack, and only if that is empty from GFree.NoStack. Count it in GFree.N, and unlink it.
	free := &p.s.GFree
	free.Lock.Lock()
	gp := pop(&free.Stack)
	if gp == nil {
		gp = pop(&free.NoStack)
	}
	if gp != nil {
		free.N--
	}
	free.Lock.Unlock()

	//course:step One without a stack gets one of StartingStack bytes, and the guard that belongs to it. No lock is needed for that: gp is yours now.
	if gp != nil && gp.Stack.Lo == 0 {
		gp.Stack = p.s.Stackalloc(gmp.StartingStack)
		gp.Sched.Guard.Store(uint64(gp.Stack.Lo) + gmp.StackGuard)
	}
	return gp
}

// Gfput puts the dead gp on the free list.
//
//course:exercise
func (p *freelists) Gfput(mp *gmp.M, gp *gmp.G) {
	//course:step Refuse a G that is not Gdead.
	if st := gp.Atomicstatus.Load(); st != gmp.Gdead {
		p.s.Throwf("gfput: goroutine %d is %s, not dead", gp.Goid, gmp.StatusName(st))
	}

	//course:step Free a stack that has grown: the next life will most likely do with a small one. gp then has no stack and no guard.
	if gp.Stack.Hi-gp.Stack.Lo > gmp.StartingStack {
		p.s.Stackfree(gp.Stack)
		gp.Stack = machine.Stack{}
		gp.Sched.Guard.Store(0)
	}

	//course:step Put it first on the list that fits, with a stack or without, under GFree.Lock, and count it in GFree.N.
	free := &p.s.GFree
	free.Lock.Lock()
	if gp.Stack.Lo == 0 {
		push(&free.NoStack, gp)
	} else {
		push(&free.Stack, gp)
	}
	free.N++
	free.Lock.Unlock()
}

// push puts gp first on l. The lock of l is held.
//
//course:omit
func push(l *gmp.GList, gp *gmp.G) {
	gp.Schedlink.Set(l.Head)
	l.Head = gp
	l.Size++
}

// pop takes the first G off l, nil if it is empty. The lock of l is held.
//
//course:omit
func pop(l *gmp.GList) *gmp.G {
	gp := l.Head
	if gp != nil {
		l.Head = gp.Schedlink.Get()
		gp.Schedlink.Set(nil)
		l.Size--
	}
	return gp
}
