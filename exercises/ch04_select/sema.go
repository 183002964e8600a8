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

// Semacquire1 takes one from the count at addr; if it is there at the first look
// no lock is needed. If there is none, gp waits for reason, counted in its root's
// Nwait and queued by SemaQueue; gp.Cont is SemacquireDone. Whoever releases after
// gp has looked for the last time finds it counted. The root stays locked until gp's
// state is Gwaiting. The runtime's semacquire1.
func (p *semaphores) Semacquire1(mp *gmp.M, gp *gmp.G, addr machine.Addr, lifo bool, reason gmp.WaitReason) {
	// Holds: Whoever adds to the count after gp's last look at it finds that
	//        gp waits.
	// Question: Semrelease1 adds, and then reads Nwait without the lock. Write
	//           its steps and yours in two columns: is there an order in which
	//           neither sees what the other has done?
	panic(gmp.TODO("Semacquire1"))
}

// SemacquireDone is what a woken waiter still does. It releases its sudog,
// which is gp.Param, and clears that. If the sudog's Ticket is not 0, gp was
// handed the count. Else it tries again, with what Sched.SemacquireArgs
// tells.
func (p *semaphores) SemacquireDone(mp *gmp.M, gp *gmp.G) {
	// Holds: gp goes on only if one of the count is its own.
	// Question: Others ran between the release and this call. What may they
	//           have done with the count, and when may they not?
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
	// Holds: Nobody who waits for addr sleeps on while what was added here
	//        stays; and a waiter that is ready finds all that it will look at.
	// Question: Whoever is ready may run at once, on another M, to the end of
	//           SemacquireDone. What of it do you still touch after that?
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
	// Holds: By address the tree is in order, by ticket it is a heap, and each
	//        node is the first of its list, of which it knows the last.
	panic(gmp.TODO("SemaQueue"))
}

// SemaDequeue takes the first waiter of addr, nil if there is none. But for G
// its fields are zero. root is locked by the caller. The runtime's
// semaRoot.dequeue.
func (p *semaphores) SemaDequeue(mp *gmp.M, root *gmp.SemaRoot, addr machine.Addr) *gmp.Sudog {
	// Holds: All others are where they will be looked for: those of this
	//        address in their order, those of other addresses in a tree that
	//        is in order and a heap.
	panic(gmp.TODO("SemaDequeue"))
}

// parkunlock is the unlockf of a park behind one lock. Gopark calls it when the G
// waits; until then nobody can find its sudog. It is given, as in chapter 3.
func parkunlock(gp *gmp.G, lock any) bool {
	lock.(*machine.Mutex).Unlock()
	return true
}
