// This file is yours: what you write in it is kept. The task is in README.md
// beside it, and this command checks your code:
//
//	go run ./autograder test ch04

package ch04

import (
	"gosched/chapters/gmp"
	"gosched/chapters/machine"
)

// semaphores are what locks sleep on. A semaphore is a count in the program's
// memory; its waiters are here, in a tree that is found by its address.
//
// A node of the tree is the sudog that has waited longest for its address, and
// the others for the same address hang on it: Waitlink is the next one, and
// Waittail, of the node only, the last. Prev and Next are the subtrees of lower
// and of higher addresses. Addresses come in any order, also in rising order, so
// the tree is a treap: each node has a random Ticket, and no node has a smaller
// one than its Parent. That is the tree in which the nodes were put in the order
// of their tickets, and a random order makes it flat.
type semaphores struct {
	s *gmp.Sched
}

// NewSemaphores makes the Semaphores of s.
func NewSemaphores(s *gmp.Sched) gmp.Semaphores { return &semaphores{s: s} }

// Semacquire1 takes one from the count at addr, and waits for it if there is none.
func (p *semaphores) Semacquire1(mp *gmp.M, gp *gmp.G, addr machine.Addr, lifo bool, reason gmp.WaitReason) {
	// 1. The easy case: Cansemacquire takes one, if there is one.
	// 2. Lock the root, and count yourself as a waiter, before you look again.
	//    Semrelease1 adds first and looks at Nwait then: one of the two sees
	//    the other.
	// 3. Queue a sudog, say what is left to do, and park. Unlock the root when
	//    the G waits.
	panic(gmp.TODO("Semacquire1"))
}

// SemacquireDone is what a woken waiter still does.
func (p *semaphores) SemacquireDone(mp *gmp.M, gp *gmp.G) {
	// 1. Its waker left the sudog in gp.Param, and in its Ticket whether the
	//    count was handed over.
	// 2. If not, it has to take one like anybody else; somebody may have been
	//    quicker. What it asked for, SemacquireArgs still knows.
	panic(gmp.TODO("SemacquireDone"))
}

// Semrelease1 adds one to the count at addr and wakes a waiter.
func (p *semaphores) Semrelease1(mp *gmp.M, gp *gmp.G, addr machine.Addr, handoff bool) {
	// 1. Add first, and then look whether anybody waits. Mostly nobody does,
	//    and then no lock is needed.
	// 2. Under the lock, take a waiter of this address. Those counted may wait
	//    for another one.
	// 3. To hand over means to take one in the name of the waiter. That may
	//    fail: the count was free for all for a moment.
	// 4. Make it ready. When it has the count, let it run: who hands over
	//    steps back.
	panic(gmp.TODO("Semrelease1"))
}

// SemaQueue adds sg to the waiters of addr. root is locked by the caller.
func (p *semaphores) SemaQueue(mp *gmp.M, root *gmp.SemaRoot, addr machine.Addr, sg *gmp.Sudog, lifo bool) {
	// 1. Look for addr in the tree, and remember the link at which you end.
	// 2. If it is there, sg joins its list: as the last one, or, with lifo, as
	//    the first, which takes over the place in the tree.
	// 3. If it is not, sg becomes a leaf there, with a random ticket that is
	//    not 0.
	// 4. The tree is in order by address. While the parent's ticket is
	//    greater, rotate sg up, which keeps that order.
	panic(gmp.TODO("SemaQueue"))
}

// SemaDequeue takes the first waiter of addr, nil if there is none. root is locked
// by the caller.
func (p *semaphores) SemaDequeue(mp *gmp.M, root *gmp.SemaRoot, addr machine.Addr) *gmp.Sudog {
	// 1. Look for addr.
	// 2. If others wait for it, too, the next one takes over the place in the
	//    tree, and the list.
	// 3. If not, the node has to leave the tree. Rotate it down, by rotating
	//    up its child with the smaller ticket, until it is a leaf; that is
	//    easy to cut off.
	// 4. Its subtrees are gone. Whoever has left points to nobody, and its
	//    Ticket is 0.
	panic(gmp.TODO("SemaDequeue"))
}

// parkunlock is the unlockf of a park behind one lock. Gopark calls it when the G
// waits; until then nobody can find its sudog.
func parkunlock(gp *gmp.G, lock any) bool {
	lock.(*machine.Mutex).Unlock()
	return true
}
