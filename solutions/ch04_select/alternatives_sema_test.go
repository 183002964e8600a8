package ch04_test

import (
	"gosched/chapters/gmp"
	"gosched/chapters/machine"
	"gosched/solutions"
)

// eager counts itself before it locks, looks once more than it has to, and has its sudog
// ready before it knows that it needs one. A release looks again under the lock, and takes
// what it hands over there.
var eager = gmp.Version{
	Semaphores: func(s *gmp.Sched) gmp.Semaphores { return &eagerSemas{solutions.Base("ch04").Semaphores(s), s} },
}

type eagerSemas struct {
	gmp.Semaphores
	s *gmp.Sched
}

func (p *eagerSemas) Semacquire1(mp *gmp.M, gp *gmp.G, addr machine.Addr, lifo bool, reason gmp.WaitReason) {
	s := p.s
	for range 2 {
		if s.Cansemacquire(addr) {
			return
		}
	}
	root, sg := s.Semroot(addr), s.AcquireSudog(mp)
	root.Nwait.Add(1)
	root.Lock.Lock()
	if s.Cansemacquire(addr) {
		root.Lock.Unlock()
		root.Nwait.Add(^uint32(0))
		s.ReleaseSudog(mp, sg)
		return
	}
	gp.Cont.Set((*gmp.Sched).SemacquireDone)
	sg.G.Set(gp)
	s.SemaQueue(mp, root, addr, sg, lifo)
	s.Gopark(mp, gp, func(*gmp.G, any) bool { root.Lock.Unlock(); return true }, nil, reason)
}

func (p *eagerSemas) Semrelease1(mp *gmp.M, gp *gmp.G, addr machine.Addr, handoff bool) {
	s := p.s
	s.Semadd(addr)
	root := s.Semroot(addr)
	if root.Nwait.Load() == 0 {
		return
	}
	root.Lock.Lock()
	if root.Nwait.Load() == 0 {
		root.Lock.Unlock()
		return
	}
	sg := s.SemaDequeue(mp, root, addr)
	handed := sg != nil && handoff && s.Cansemacquire(addr)
	if handed {
		sg.Ticket.Set(1)
	}
	root.Lock.Unlock()
	if sg == nil {
		return
	}
	root.Nwait.Add(^uint32(0))
	waiter := sg.G.Get()
	waiter.Param.Set(sg)
	s.Goready(mp, waiter)
	if handed {
		s.GoschedImpl(mp, gp, false)
	}
}

// recursive is a treap that is changed on the way back up.
var recursive = gmp.Version{
	Semaphores: func(s *gmp.Sched) gmp.Semaphores { return &recursiveTreap{solutions.Base("ch04").Semaphores(s)} },
}

type recursiveTreap struct{ gmp.Semaphores }

func (p *recursiveTreap) SemaQueue(mp *gmp.M, root *gmp.SemaRoot, addr machine.Addr, sg *gmp.Sudog, lifo bool) {
	sg.Elem.Set(addr)
	root.Treap.Set(p.put(mp, root.Treap.Get(), sg, lifo))
	root.Treap.Get().Parent.Set(nil)
}

// put returns the tree t with sg in it.
func (p *recursiveTreap) put(mp *gmp.M, t, sg *gmp.Sudog, lifo bool) *gmp.Sudog {
	if t == nil {
		for sg.Ticket.Get() == 0 {
			sg.Ticket.Set(mp.Cheaprand())
		}
		return sg
	}
	addr := sg.Elem.Get()
	if addr == t.Elem.Get() {
		return p.enlist(t, sg, lifo)
	}
	child := side(t, addr)
	child.Set(p.put(mp, child.Get(), sg, lifo))
	child.Get().Parent.Set(t)
	if child.Get().Ticket.Get() >= t.Ticket.Get() {
		return t
	}
	return lift(t, child)
}

// lift returns the tree t with the node at its link child above it.
func lift(t *gmp.Sudog, child *machine.Cell[*gmp.Sudog]) *gmp.Sudog {
	up := child.Get()
	inner := side(up, t.Elem.Get())
	child.Set(inner.Get())
	if inner.Get() != nil {
		inner.Get().Parent.Set(t)
	}
	inner.Set(t)
	t.Parent.Set(up)
	return up
}

// enlist adds sg to the waiters of the node t, and returns the node that is there then.
func (p *recursiveTreap) enlist(t, sg *gmp.Sudog, lifo bool) *gmp.Sudog {
	if lifo {
		sg.Waitlink.Set(t)
		if sg.Waittail.Set(t.Waittail.Get()); sg.Waittail.Get() == nil {
			sg.Waittail.Set(t)
		}
		return replace(t, sg)
	}
	last := t.Waittail.Get()
	if last == nil {
		last = t
	}
	last.Waitlink.Set(sg)
	t.Waittail.Set(sg)
	return t
}

// replace puts sg where the node t is, which then has nothing any more of the tree.
func replace(t, sg *gmp.Sudog) *gmp.Sudog {
	sg.Ticket.Set(t.Ticket.Get())
	sg.Prev.Set(t.Prev.Get())
	sg.Next.Set(t.Next.Get())
	for _, child := range []*gmp.Sudog{t.Prev.Get(), t.Next.Get()} {
		if child != nil {
			child.Parent.Set(sg)
		}
	}
	t.Ticket.Set(0)
	t.Parent.Set(nil)
	t.Prev.Set(nil)
	t.Next.Set(nil)
	t.Waittail.Set(nil)
	return sg
}

func (p *recursiveTreap) SemaDequeue(mp *gmp.M, root *gmp.SemaRoot, addr machine.Addr) *gmp.Sudog {
	at, parent := &root.Treap, (*gmp.Sudog)(nil)
	for at.Get() != nil && at.Get().Elem.Get() != addr {
		parent = at.Get()
		at = side(parent, addr)
	}
	sg := at.Get()
	if sg == nil {
		return nil
	}
	if next := sg.Waitlink.Get(); next != nil {
		if next.Waitlink.Get() != nil {
			next.Waittail.Set(sg.Waittail.Get())
		}
		at.Set(replace(sg, next))
	} else {
		at.Set(sink(sg))
	}
	if at.Get() != nil {
		at.Get().Parent.Set(parent)
	}
	gp := sg.G.Get()
	sg.Reset()
	sg.G.Set(gp)
	return sg
}

// sink returns the tree t without its root.
func sink(t *gmp.Sudog) *gmp.Sudog {
	a, b := t.Prev.Get(), t.Next.Get()
	switch {
	case a == nil:
		return b
	case b == nil:
		return a
	}
	up := &t.Prev
	if b.Ticket.Get() < a.Ticket.Get() {
		up = &t.Next
	}
	root := lift(t, up)
	inner := side(root, t.Elem.Get())
	if inner.Set(sink(t)); inner.Get() != nil {
		inner.Get().Parent.Set(root)
	}
	return root
}
