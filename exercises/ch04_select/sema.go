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
//
// Semaphores are what sync's locks sleep on. addr is the address of a uint32
// count in the program's memory: see Sched.Cansemacquire and Sched.Semadd. Its
// waiters are at Sched.Semroot.
type semaphores struct {
	s *gmp.Sched
}

// NewSemaphores makes the Semaphores of s.
func NewSemaphores(s *gmp.Sched) gmp.Semaphores { return &semaphores{s: s} }

// Semacquire1 takes one from the count at addr; if it is there at the first look
// no lock is needed. If there is none, gp waits for reason, counted in its root's
// Nwait before it looks for the last time, and queued by SemaQueue; gp.Cont is
// SemacquireDone. The root stays locked until gp's state is Gwaiting. The
// runtime's semacquire1.
func (p *semaphores) Semacquire1(mp *gmp.M, gp *gmp.G, addr machine.Addr, lifo bool, reason gmp.WaitReason) {
	panic(gmp.TODO("Semacquire1"))
}

// SemacquireDone is what a woken waiter still does. It releases its sudog,
// which is gp.Param, and clears that. If the sudog's Ticket is not 0, gp was
// handed the count. Else it tries again, with what Sched.SemacquireArgs
// tells.
func (p *semaphores) SemacquireDone(mp *gmp.M, gp *gmp.G) {
	panic(gmp.TODO("SemacquireDone"))
}

// Semrelease1 adds one to the count at addr. If Nwait is 0 then, that is all, and no
// lock is needed. If addr has waiters, it wakes the first: dequeued, no longer counted
// in Nwait, and with its sudog in its G's Param. With handoff it tries to take the one
// back for the waiter. If it can, the sudog's Ticket is 1, and when the waiter is
// ready gp yields (GoschedImpl, not preempted); otherwise gp goes on. No lock is held
// when it makes the waiter ready. The runtime's semrelease1, which yields since Go
// 1.14, by goyield, and not while its M holds locks or is on g0.
func (p *semaphores) Semrelease1(mp *gmp.M, gp *gmp.G, addr machine.Addr, handoff bool) {
	panic(gmp.TODO("Semrelease1"))
}

// SemaQueue adds sg, of which only G is set, to the waiters of addr: as the
// last one, or with lifo as the first. root is locked by the caller.
//
// From Go 1.9 on, which is what this chapter asks for, root.Treap is a tree
// with a node for each address: the first sudog that waits for it. By address,
// which is in Elem, Prev has the lower ones and Next the higher ones, and
// Parent leads up. By Ticket it is a heap: no node has a smaller one than its
// Parent. A node that is new in the tree gets a random Ticket, of mp, which is
// not 0. The others for the same address hang on the node by Waitlink, and have
// no other links; the node's Waittail is the last of them, nil if there are
// none.
//
// The runtime's semaRoot.queue.
func (p *semaphores) SemaQueue(mp *gmp.M, root *gmp.SemaRoot, addr machine.Addr, sg *gmp.Sudog, lifo bool) {
	panic(gmp.TODO("SemaQueue"))
}

// SemaDequeue takes the first waiter of addr, nil if there is none. But for G
// its fields are zero. root is locked by the caller. The runtime's
// semaRoot.dequeue.
func (p *semaphores) SemaDequeue(mp *gmp.M, root *gmp.SemaRoot, addr machine.Addr) *gmp.Sudog {
	panic(gmp.TODO("SemaDequeue"))
}

// parkunlock is the unlockf of a park behind one lock. Gopark calls it when the G
// waits; until then nobody can find its sudog.
func parkunlock(gp *gmp.G, lock any) bool {
	lock.(*machine.Mutex).Unlock()
	return true
}
