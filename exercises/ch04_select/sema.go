// This file is yours: what you write in it is kept. The task is in README.md
// beside it, and this command checks your code:
//
//	go run ./autograder test ch04

package ch04

import (
	"gosched/chapters/gmp"
	"gosched/chapters/machine"
)

// semaphores are counts in the program's memory, with their waiters here, in a tree
// that is found by the address.
//
// Semaphores are what sync's locks sleep on. addr is the address of a uint32
// count in the program's memory: see Sched.Cansemacquire and Sched.Semadd. Its
// waiters are at Sched.Semroot.
type semaphores struct {
	s *gmp.Sched
}

// NewSemaphores makes the Semaphores of s.
func NewSemaphores(s *gmp.Sched) gmp.Semaphores { return &semaphores{s: s} }

// Semacquire1 takes one from the count at addr; if it succeeds at the first look, no
// lock is needed. If there is none to take, gp waits for reason, counted in its
// root's Nwait and queued by SemaQueue; gp.Cont is SemacquireDone. A release that
// comes after gp's last look finds gp counted. The root stays locked until gp's
// state is Gwaiting. The runtime's semacquire1.
func (p *semaphores) Semacquire1(mp *gmp.M, gp *gmp.G, addr machine.Addr, lifo bool, reason gmp.WaitReason) {
	// Holds: A release that adds to the count after gp's last look at it finds
	//        that gp waits.
	// Question: Semrelease1 adds, and then reads Nwait without the lock. Write
	//           its steps and yours in two columns: is there an order in which
	//           neither sees what the other has done?
	panic(gmp.TODO("Semacquire1"))
}

// SemacquireDone is what a woken waiter still has to do. It releases its sudog,
// which is gp.Param, and clears that. If the sudog's Ticket is not 0, gp was
// handed the count. Otherwise it tries again, with what Sched.SemacquireArgs
// returns.
func (p *semaphores) SemacquireDone(mp *gmp.M, gp *gmp.G) {
	// Holds: gp goes on only if one unit of the count belongs to it.
	// Question: Others ran between the release and this call. What may they
	//           have done with the count, and when may they not?
	panic(gmp.TODO("SemacquireDone"))
}

// Semrelease1 adds one to the count at addr. If Nwait is then 0, that is all, and no
// lock is needed. If addr has waiters, it wakes the first: dequeued, no longer counted
// in Nwait, and with its sudog in its G's Param. With handoff it tries to take the one
// back for the waiter. If it can, the sudog's Ticket is 1, and when the waiter is
// ready gp yields (GoschedImpl, not preempted); otherwise gp goes on. No lock is held
// when it makes the waiter ready. The runtime's semrelease1, which yields since Go
// 1.14, by goyield, and not while its M holds locks or is on g0.
func (p *semaphores) Semrelease1(mp *gmp.M, gp *gmp.G, addr machine.Addr, handoff bool) {
	// Holds: No waiter for addr sleeps on while what was added here is still
	//        there; and a waiter that is ready finds everything that it will
	//        look at.
	// Question: A waiter that is ready may run at once, on another M, to the
	//           end of SemacquireDone. What of it do you still touch after
	//           that?
	panic(gmp.TODO("Semrelease1"))
}

// SemaQueue adds sg, in which only G is set, to the waiters of addr: as the
// last one, or with lifo as the first. The caller has locked root.
//
// In the form of Go 1.9 and later, which this chapter asks for, root.Treap is a
// tree with a node for each address: the first sudog that waits for it. By
// address, which is in Elem, Prev leads to the lower ones and Next to the
// higher ones, and Parent leads up. By Ticket it is a heap: no node has a
// smaller one than its Parent. A node that is new in the tree gets a random
// Ticket, from mp, which is not 0. The others for the same address hang on the
// node by Waitlink, and have no other links; the node's Waittail is the last of
// them, nil if there are none.
//
// The runtime's semaRoot.queue.
func (p *semaphores) SemaQueue(mp *gmp.M, root *gmp.SemaRoot, addr machine.Addr, sg *gmp.Sudog, lifo bool) {
	// Holds: By address the tree is in order, by ticket it is a heap, and each
	//        node is the first of its list and knows the last one.
	panic(gmp.TODO("SemaQueue"))
}

// SemaDequeue takes the first waiter of addr, nil if there is none. Apart from
// G its fields are zero. The caller has locked root. The runtime's
// semaRoot.dequeue.
func (p *semaphores) SemaDequeue(mp *gmp.M, root *gmp.SemaRoot, addr machine.Addr) *gmp.Sudog {
	// Holds: All others are where they will be looked for: those of this
	//        address in their order, those of other addresses in a tree that
	//        is in order and a heap.
	panic(gmp.TODO("SemaDequeue"))
}

// parkunlock is the unlockf of a park behind one lock. Gopark calls it when the G
// waits; until then nothing can find its sudog. It is given, as in chapter 3.
func parkunlock(gp *gmp.G, lock any) bool {
	lock.(*machine.Mutex).Unlock()
	return true
}
