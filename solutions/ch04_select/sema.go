package ch04

import (
	"gosched/chapters/gmp"
	"gosched/chapters/machine"
)

// semaphores are counts in the program's memory, with their waiters here, in a tree
// that is found by the address.
type semaphores struct {
	s *gmp.Sched
}

// NewSemaphores makes the Semaphores of s.
func NewSemaphores(s *gmp.Sched) gmp.Semaphores { return &semaphores{s: s} }

// Semacquire1 takes one from the count at addr, and waits for it if there is none.
//
//course:exercise
func (p *semaphores) Semacquire1(mp *gmp.M, gp *gmp.G, addr machine.Addr, lifo bool, reason gmp.WaitReason) {
	//course:holds A release that adds to the count after gp's last look at it finds that gp waits.
	//course:question Semrelease1 adds, and then reads Nwait without the lock. Write its steps and yours in two columns: is there an order in which neither sees what the other has done?
	//course:lead There are four events: you are counted, you look for the last time, the other adds, the other reads Nwait. In which orders can they come, and in which of these do you sleep for ever?
	//course:step The easy case: Cansemacquire takes one, if there is one.
	s := p.s
	if s.Cansemacquire(addr) {
		return
	}
	//course:step Lock the root, and count yourself as a waiter, before you look again. Semrelease1 adds first and then looks at Nwait: one of the two sees the other.
	root := s.Semroot(addr)
	root.Lock.Lock()
	root.Nwait.Add(1)
	if s.Cansemacquire(addr) {
		root.Nwait.Add(^uint32(0))
		root.Lock.Unlock()
		return
	}
	//course:step Queue a sudog, say what is left to do, and park. Unlock the root when the G waits.
	sg := s.AcquireSudog(mp)
	sg.G.Set(gp)
	s.SemaQueue(mp, root, addr, sg, lifo)
	gp.Cont.Set((*gmp.Sched).SemacquireDone)
	s.Gopark(mp, gp, parkunlock, &root.Lock, reason)
}

// SemacquireDone is what a woken waiter still has to do.
//
//course:exercise
func (p *semaphores) SemacquireDone(mp *gmp.M, gp *gmp.G) {
	//course:holds gp goes on only if one unit of the count belongs to it.
	//course:question Others ran between the release and this call. What may they have done with the count, and when may they not?
	//course:step Its waker left the sudog in gp.Param, and in its Ticket whether the count was handed over.
	s := p.s
	sg := gp.Param.Get()
	gp.Param.Set(nil)
	handed := sg.Ticket.Get() != 0
	s.ReleaseSudog(mp, sg)
	//course:step If not, gp has to take one like any other G; another may have been quicker. SemacquireArgs still knows what it asked for.
	if !handed {
		addr, lifo, reason := s.SemacquireArgs(gp)
		s.Semacquire1(mp, gp, addr, lifo, reason)
	}
}

// Semrelease1 adds one to the count at addr and wakes a waiter.
//
//course:exercise
func (p *semaphores) Semrelease1(mp *gmp.M, gp *gmp.G, addr machine.Addr, handoff bool) {
	//course:holds No waiter for addr sleeps on while what was added here is still there; and a waiter that is ready finds everything that it will look at.
	//course:question A waiter that is ready may run at once, on another M, to the end of SemacquireDone. What of it do you still touch after that?
	//course:lead There are three moments: the count is there, the waiter is off the tree, the waiter is ready. Who else can act in between, and on what?
	//course:step Add first, and then look whether any G waits. Mostly none does, and then no lock is needed.
	s := p.s
	root := s.Semroot(addr)
	s.Semadd(addr)
	if root.Nwait.Load() == 0 {
		return
	}
	//course:step Under the lock, take a waiter of this address. Those counted may wait for a different one.
	root.Lock.Lock()
	sg := s.SemaDequeue(mp, root, addr)
	if sg != nil {
		root.Nwait.Add(^uint32(0))
	}
	root.Lock.Unlock()
	if sg == nil {
		return
	}
	//course:step To hand over means to take one unit in the name of the waiter. That may fail: for a moment, any G could take it.
	handed := handoff && s.Cansemacquire(addr)
	if handed {
		sg.Ticket.Set(1)
	}
	//course:step Make it ready. If it has the count, let it run: a G that hands over steps back.
	waiter := sg.G.Get()
	waiter.Param.Set(sg)
	s.Goready(mp, waiter)
	if handed {
		s.GoschedImpl(mp, gp, false)
	}
}

// SemaQueue adds sg to the waiters of addr. The caller has locked root.
//
//course:exercise
func (p *semaphores) SemaQueue(mp *gmp.M, root *gmp.SemaRoot, addr machine.Addr, sg *gmp.Sudog, lifo bool) {
	//course:holds By address the tree is in order, by ticket it is a heap, and each node is the first of its list and knows the last one.
	//course:lead Draw a node with two children and one waiter behind it. Which pointers lead to the node, and which pointers change in all when another sudog takes its place?
	//course:step Look for addr in the tree, and remember the link at which you end.
	sg.Elem.Set(addr)
	var parent *gmp.Sudog
	link := &root.Treap
	for t := link.Get(); t != nil; t = link.Get() {
		//course:step If it is there, sg joins its list: as the last one, or, with lifo, as the first, which takes over the place in the tree.
		if t.Elem.Get() == addr {
			if lifo {
				takePlace(root, t, sg)
				sg.Waitlink.Set(t)
				sg.Waittail.Set(t.Waittail.Get())
				if sg.Waittail.Get() == nil {
					sg.Waittail.Set(t)
				}
				t.Waittail.Set(nil)
				return
			}
			if t.Waittail.Get() == nil {
				t.Waitlink.Set(sg)
			} else {
				t.Waittail.Get().Waitlink.Set(sg)
			}
			t.Waittail.Set(sg)
			return
		}
		parent = t
		if addr < t.Elem.Get() {
			link = &t.Prev
		} else {
			link = &t.Next
		}
	}
	//course:step If it is not, sg becomes a leaf there, with a random ticket that is not 0.
	sg.Ticket.Set(mp.Cheaprand() | 1)
	sg.Parent.Set(parent)
	link.Set(sg)
	//course:step The tree is in order by address. While the parent's ticket is greater, rotate sg up, which keeps that order.
	for sg.Parent.Get() != nil && sg.Ticket.Get() < sg.Parent.Get().Ticket.Get() {
		rotateUp(root, sg)
	}
}

// SemaDequeue takes the first waiter of addr, nil if there is none. The caller has
// locked root.
//
//course:exercise
func (p *semaphores) SemaDequeue(mp *gmp.M, root *gmp.SemaRoot, addr machine.Addr) *gmp.Sudog {
	//course:holds All others are where they will be looked for: those of this address in their order, those of other addresses in a tree that is in order and a heap.
	//course:lead Which node is easy to cut off? And if others wait for the same address, does a node leave at all?
	//course:step Look for addr.
	sg := root.Treap.Get()
	for sg != nil && sg.Elem.Get() != addr {
		if addr < sg.Elem.Get() {
			sg = sg.Prev.Get()
		} else {
			sg = sg.Next.Get()
		}
	}
	if sg == nil {
		return nil
	}
	if next := sg.Waitlink.Get(); next != nil {
		//course:step If others also wait for it, the next one takes over the place in the tree, and the list.
		takePlace(root, sg, next)
		if next.Waitlink.Get() != nil {
			next.Waittail.Set(sg.Waittail.Get())
		}
	} else {
		//course:step If not, the node has to leave the tree. Rotate it down, by rotating up its child with the smaller ticket, until it is a leaf; a leaf is easy to cut off.
		for sg.Prev.Get() != nil || sg.Next.Get() != nil {
			child := sg.Prev.Get()
			if child == nil || sg.Next.Get() != nil && sg.Next.Get().Ticket.Get() < child.Ticket.Get() {
				child = sg.Next.Get()
			}
			rotateUp(root, child)
		}
		replaceChild(root, sg, nil)
	}
	//course:step Its subtrees are gone. A sudog that has left points to no other, and its Ticket is 0.
	sg.Parent.Set(nil)
	sg.Waitlink.Set(nil)
	sg.Waittail.Set(nil)
	sg.Elem.Set(0)
	sg.Ticket.Set(0)
	return sg
}

// takePlace puts sg, which is not in the tree, where t is, with t's ticket.
// Afterwards t has no links of the tree.
//
//course:omit
func takePlace(root *gmp.SemaRoot, t, sg *gmp.Sudog) {
	sg.Ticket.Set(t.Ticket.Get())
	sg.Prev.Set(t.Prev.Get())
	sg.Next.Set(t.Next.Get())
	if sg.Prev.Get() != nil {
		sg.Prev.Get().Parent.Set(sg)
	}
	if sg.Next.Get() != nil {
		sg.Next.Get().Parent.Set(sg)
	}
	replaceChild(root, t, sg)
	t.Parent.Set(nil)
	t.Prev.Set(nil)
	t.Next.Set(nil)
}

// replaceChild makes whatever has the child old, a node or the root, have new
// instead.
//
//course:omit
func replaceChild(root *gmp.SemaRoot, old, new *gmp.Sudog) {
	parent := old.Parent.Get()
	switch {
	case parent == nil:
		root.Treap.Set(new)
	case parent.Prev.Get() == old:
		parent.Prev.Set(new)
	default:
		parent.Next.Set(new)
	}
	if new != nil {
		new.Parent.Set(parent)
	}
}

// rotateUp swaps x with its parent y, so that y becomes x's child; the order by
// address stays. If x is y's Prev, then x's Next becomes y's Prev; if it is y's
// Next, the other way round.
//
//course:omit
func rotateUp(root *gmp.SemaRoot, x *gmp.Sudog) {
	y := x.Parent.Get()
	replaceChild(root, y, x)
	var between *gmp.Sudog
	if y.Prev.Get() == x {
		between = x.Next.Get()
		y.Prev.Set(between)
		x.Next.Set(y)
	} else {
		between = x.Prev.Get()
		y.Next.Set(between)
		x.Prev.Set(y)
	}
	y.Parent.Set(x)
	if between != nil {
		between.Parent.Set(y)
	}
}

// parkunlock is the unlockf of a park behind one lock. Gopark calls it when the G
// waits; until then nothing can find its sudog. It is given, as in chapter 3.
func parkunlock(gp *gmp.G, lock any) bool {
	lock.(*machine.Mutex).Unlock()
	return true
}
