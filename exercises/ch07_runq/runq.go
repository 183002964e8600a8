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
type runQueue struct {
	s *gmp.Sched
}

// NewRunQueue makes the RunQueue of s.
func NewRunQueue(s *gmp.Sched) gmp.RunQueue { return &runQueue{s: s} }

// slot returns the slot of the G with number i on pp's ring.
func slot(pp *gmp.P, i uint32) *machine.Pointer[gmp.G] {
	return &pp.Runq[i%uint32(len(pp.Runq))]
}

// Runqput puts gp on pp's queue, with next set before all others.
func (p *runQueue) Runqput(pp *gmp.P, gp *gmp.G, next bool) {
	// 1. With next set, gp takes Runnext, in one atomic operation: a thief may
	//    be taking what is there. If nobody was there, that is all. Else go on
	//    with the one that gp has kicked out.
	// 2. Look at the head and the tail. The difference is right even when the
	//    tail has gone round at 2^32 and the head has not.
	// 3. If the ring has room, store the G in its slot, and only then the new
	//    tail: from that moment thieves may take it.
	// 4. If not, let Runqputslow move half of the ring away, and gp with it.
	//    If it says that the ring is not full any more, begin again.
	panic(gmp.TODO("Runqput"))
}

// Runqputslow moves the first half of pp's ring, which is full, and gp to the
// global queue.
func (p *runQueue) Runqputslow(pp *gmp.P, gp *gmp.G, h, t uint32) bool {
	// 1. It is for a full ring; throw if it is not.
	// 2. Copy the first half of the ring. The Gs are still everybody's: do not
	//    touch them.
	// 3. Take them, by moving the head past them. If a thief has been faster,
	//    there is room in the ring, and nothing has happened.
	// 4. Now they are yours. Make a queue of them, with gp at its end, and put
	//    it on the global one. That needs the lock, once for all of them.
	panic(gmp.TODO("Runqputslow"))
}

// Runqputbatch puts as many Gs of q on pp's ring as have room, and returns the
// others.
func (p *runQueue) Runqputbatch(pp *gmp.P, q gmp.GQueue) (rest gmp.GQueue) {
	// 1. Take Gs off q and store them behind the tail, while there is room.
	//    Until the tail moves, nobody sees them.
	// 2. Store the tail, once.
	panic(gmp.TODO("Runqputbatch"))
}

// Runqget takes the next G of pp.
func (p *runQueue) Runqget(pp *gmp.P) (gp *gmp.G, inheritTime bool) {
	// 1. The G in Runnext comes first, if you get it. If you do not, a thief
	//    has it; why can there be no other one by now?
	// 2. Look at the head and the tail. An empty ring has nothing to give.
	// 3. Read the slot at the head, and take the G by moving the head past it.
	//    If a thief has been faster, begin again.
	panic(gmp.TODO("Runqget"))
}

// Runqdrain takes all Gs of pp.
func (p *runQueue) Runqdrain(pp *gmp.P) gmp.GQueue {
	// 1. The G in Runnext comes first, if you get it.
	// 2. Take all that are in the ring at once, by moving the head up to the
	//    tail. If a thief has been faster, begin again.
	// 3. Now they are yours, and can be linked. Nobody overwrites their slots:
	//    that would be you.
	panic(gmp.TODO("Runqdrain"))
}

// Runqempty reports whether pp has no G.
func (p *runQueue) Runqempty(pp *gmp.P) bool {
	// 1. Look at the head, the tail and Runnext. These are three moments, and
	//    in between a G may be kicked from Runnext into the ring, which is why
	//    you saw it nowhere. That moves the tail; so look at the tail once
	//    more, and if it has moved, begin again.
	panic(gmp.TODO("Runqempty"))
}
