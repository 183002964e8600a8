// This file is yours: what you write in it is kept. The task is in README.md
// beside it, and this command checks your code:
//
//	go run ./autograder test ch07

// Package ch07 is the run queue of chapter 7: who may put and take, and how they do
// it at the same time without a lock.
package ch07

import (
	"gosched/chapters/gmp"
	"gosched/chapters/machine"
)

// Parts are the parts of this chapter.
var Parts = gmp.Version{
	RunQueue: NewRunQueue,
}

// runQueue is the queue of each P: the slot Runnext, and a ring with one producer,
// its owner, and many consumers, the owner and the thieves.
//
// RunQueue is the local queue of a P, and how it gives Gs to the global queue
// and takes them from it.
//
// A P has a ring, pp.Runq, of n = len(pp.Runq) slots, a power of two, at least 2 and at most
// RunqLen. Runqhead and Runqtail only ever go up, modulo 2^32, and tail-head, modulo 2^32, is
// the number of Gs in the ring, from 0 to n; the G with number i is in slot i%n. Before the
// ring comes the single slot Runnext. Head and tail may start at any number. A part that keeps
// something of its own about a P must read them first.
//
// The owner of a P is the M that holds it, a thief is any other M. Only the
// owner stores Gs, in slots and in Runnext, and the tail. Any M may move the
// head, by CAS: the M that moves it past a G has taken that G. Any M may take
// Runnext, with one atomic operation. No M may touch a G that others can still
// take, not even its Schedlink.
type runQueue struct {
	s *gmp.Sched
}

// NewRunQueue makes the RunQueue of s.
func NewRunQueue(s *gmp.Sched) gmp.RunQueue { return &runQueue{s: s} }

// slot returns the slot of the G with number i on pp's ring.
func slot(pp *gmp.P, i uint32) *machine.Pointer[gmp.G] {
	return &pp.Runq[i%uint32(len(pp.Runq))]
}

// Runqput puts gp, which is on no queue, on pp: at the tail of the ring, or
// with next set into Runnext, and then the G that was there at the tail. If
// the ring is full, Runqputslow makes room. Called by pp's owner, without
// s.Lock. The runtime's runqput, which under -race ignores next half of the
// time.
func (p *runQueue) Runqput(pp *gmp.P, gp *gmp.G, next bool) {
	// Holds: A thief that sees the new tail finds the G in its slot; and each
	//        G that is put comes out once, by whichever way it goes.
	// Question: A thief may take what is in Runnext at any moment. How do you
	//           know for certain which G you have kicked out?
	panic(gmp.TODO("Runqput"))
}

// Runqputslow moves the first half of pp's full ring, with gp behind it, to the
// tail of the global queue, for which it takes s.Lock, once. h and t are the head
// and the tail that the caller saw. It reports false, and has done nothing, if
// thieves have moved the head since: then there is room. Throws "runqputslow:
// queue is not full" if t-h is not len(pp.Runq). Called by pp's owner, without
// s.Lock. The runtime's runqputslow.
func (p *runQueue) Runqputslow(pp *gmp.P, gp *gmp.G, h, t uint32) bool {
	// Holds: If it reports true, the older half of the ring and gp are on the
	//        global queue, in order, and no thief has any of them; if false,
	//        nothing has changed. It writes into no G that a thief may still
	//        take.
	// Question: From which moment on is the half yours? What may you do before
	//           that, and what only afterwards?
	panic(gmp.TODO("Runqputslow"))
}

// Runqputbatch puts as many Gs of q as there is room for at the tail of pp's
// ring, in order, and makes them visible all at once. It returns the others,
// which its caller may put on the global queue. Called by pp's owner. The
// runtime's runqputbatch, which takes a pointer to q and leaves them there.
func (p *runQueue) Runqputbatch(pp *gmp.P, q gmp.GQueue) (rest gmp.GQueue) {
	// Holds: A thief sees all Gs of the batch that have found room, or none of
	//        them.
	panic(gmp.TODO("Runqputbatch"))
}

// Runqget takes the next G of pp, nil if there is none: the one in Runnext, else
// the one at the head. inheritTime: it was in Runnext, so it continues the time
// slice of the G that put it there; false without a G. If a thief takes a G out of
// its hands, it returns another, as long as there is one. Called by pp's owner.
// The runtime's runqget.
func (p *runQueue) Runqget(pp *gmp.P) (gp *gmp.G, inheritTime bool) {
	// Holds: The G that it returns was taken by this call alone; and it
	//        returns nil only if there was nothing left to take.
	// Question: A thief has been faster, at Runnext or at the ring. What can
	//           pp still have, and where?
	panic(gmp.TODO("Runqget"))
}

// Runqdrain takes all Gs: Runnext first, then the ring, in order. Called by
// pp's owner. The runtime's runqdrain.
func (p *runQueue) Runqdrain(pp *gmp.P) gmp.GQueue {
	// Holds: Each G that pp had is in the list that it returns, or with the
	//        thief that took it, and never in both places. It writes into no G
	//        that is not yet its own.
	// Question: To link Gs is to write into them. From when on may you do
	//           that?
	panic(gmp.TODO("Runqdrain"))
}

// Runqempty reports whether pp has no G, neither in the ring nor in Runnext. If
// it says so, there was a moment during the call when it was true. Called by
// any M. The runtime's runqempty.
func (p *runQueue) Runqempty(pp *gmp.P) bool {
	// Holds: If it returns true, there was one moment during the call when the
	//        ring and Runnext were both empty.
	// Question: You look at several fields, one after another. Which way can a
	//           G take meanwhile so that every look misses it, and what change
	//           does that leave behind?
	panic(gmp.TODO("Runqempty"))
}
