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

// Runqput puts gp on pp's queue, ahead of all others if next is set.
//
//course:exercise
func (p *runQueue) Runqput(pp *gmp.P, gp *gmp.G, next bool) {
	//course:holds A thief that sees the new tail finds the G in its slot; and each G that is put comes out once, by whichever way it goes.
	//course:question A thief may take what is in Runnext at any moment. How do you know for certain which G you have kicked out?
	//course:lead Stop after each of your operations and let a thief take all it can: what does it see, and what is still yours? And if Runqputslow reports false, which G is still to be put, and where?
	//course:step With next set, gp takes Runnext, in one atomic operation: a thief may be taking what is there. If Runnext was empty, that is all. Otherwise go on with the G that gp has kicked out.
	if next {
		if gp = pp.Runnext.Swap(gp); gp == nil {
			return
		}
	}
	for {
		//course:step Look at the head and the tail. The difference is right even when the tail has wrapped around at 2^32 and the head has not.
		h, t := pp.Runqhead.Load(), pp.Runqtail.Load()
		//course:step If the ring has room, store the G in its slot, and only then the new tail: from that moment thieves may take it.
		if t-h < uint32(len(pp.Runq)) {
			slot(pp, t).Store(gp)
			pp.Runqtail.Store(t + 1)
			return
		}
		//course:step If not, let Runqputslow move half of the ring away, and gp with it. If it says that the ring is no longer full, start again.
		if p.s.Runqputslow(pp, gp, h, t) {
			return
		}
	}
}

// Runqputslow moves the first half of pp's ring, which is full, and gp to the
// global queue.
//
//course:exercise
func (p *runQueue) Runqputslow(pp *gmp.P, gp *gmp.G, h, t uint32) bool {
	//course:holds If it reports true, the older half of the ring and gp are on the global queue, in order, and no thief has any of them; if false, nothing has changed. It writes into no G that a thief may still take.
	//course:question From which moment on is the half yours? What may you do before that, and what only afterwards?
	//course:step It is for a full ring; throw if it is not.
	if t-h != uint32(len(pp.Runq)) {
		p.s.Throw("runqputslow: queue is not full")
	}
	//course:step Copy the first half of the ring. Any M may still take these Gs: do not touch them.
	var batch [gmp.RunqLen/2 + 1]*gmp.G
	n := uint32(len(pp.Runq)) / 2
	for i := range n {
		batch[i] = slot(pp, h+i).Load()
	}
	//course:step Take them, by moving the head past them. If a thief has been faster, there is room in the ring, and nothing has happened.
	if !pp.Runqhead.CompareAndSwap(h, h+n) {
		return false
	}
	//course:step Now they are yours. Make a queue of them, with gp at its end, and put it on the global one. That needs the lock, once for all of them.
	batch[n] = gp
	var q gmp.GQueue
	for _, gp := range batch[:n+1] {
		q.PushBack(gp)
	}
	p.s.Lock.Lock()
	p.s.Globrunqputbatch(q)
	p.s.Lock.Unlock()
	return true
}

// Runqputbatch puts as many Gs of q on pp's ring as there is room for, and
// returns the others.
//
//course:exercise
func (p *runQueue) Runqputbatch(pp *gmp.P, q gmp.GQueue) (rest gmp.GQueue) {
	//course:holds A thief sees all Gs of the batch that have found room, or none of them.
	//course:lead What tells a thief how far it may read?
	//course:step Take Gs off q and store them behind the tail, while there is room. Until the tail moves, no other M sees them.
	h, t := pp.Runqhead.Load(), pp.Runqtail.Load()
	for q.Size > 0 && t-h < uint32(len(pp.Runq)) {
		slot(pp, t).Store(q.Pop())
		t++
	}
	//course:step Store the tail, once.
	pp.Runqtail.Store(t)
	return q
}

// Runqget takes the next G of pp.
//
//course:exercise
func (p *runQueue) Runqget(pp *gmp.P) (gp *gmp.G, inheritTime bool) {
	//course:holds The G that it returns was taken by this call alone; and it returns nil only if there was nothing left to take.
	//course:question A thief has been faster, at Runnext or at the ring. What can pp still have, and where?
	//course:step The G in Runnext comes first, if you get it. If you do not, a thief has it; why can there be no other one by now?
	if next := pp.Runnext.Load(); next != nil && pp.Runnext.CompareAndSwap(next, nil) {
		return next, true
	}
	for {
		//course:step Look at the head and the tail. An empty ring has nothing to give.
		h, t := pp.Runqhead.Load(), pp.Runqtail.Load()
		if h == t {
			return nil, false
		}
		//course:step Read the slot at the head, and take the G by moving the head past it. If a thief has been faster, start again.
		gp := slot(pp, h).Load()
		if pp.Runqhead.CompareAndSwap(h, h+1) {
			return gp, false
		}
	}
}

// Runqdrain takes all Gs of pp.
//
//course:exercise
func (p *runQueue) Runqdrain(pp *gmp.P) gmp.GQueue {
	//course:holds Each G that pp had is in the list that it returns, or with the thief that took it, and never in both places. It writes into no G that is not yet its own.
	//course:question To link Gs is to write into them. From when on may you do that?
	//course:step The G in Runnext comes first, if you get it.
	var q gmp.GQueue
	if next := pp.Runnext.Load(); next != nil && pp.Runnext.CompareAndSwap(next, nil) {
		q.PushBack(next)
	}
	for {
		h, t := pp.Runqhead.Load(), pp.Runqtail.Load()
		//course:step Take all Gs in the ring at once, by moving the head up to the tail. If a thief has been faster, start again.
		if !pp.Runqhead.CompareAndSwap(h, t) {
			continue
		}
		//course:step Now they are yours, and can be linked. No other M overwrites their slots: only you could.
		for i := h; i != t; i++ {
			q.PushBack(slot(pp, i).Load())
		}
		return q
	}
}

// Runqempty reports whether pp has no G.
//
//course:exercise
func (p *runQueue) Runqempty(pp *gmp.P) bool {
	//course:holds If it returns true, there was one moment during the call when the ring and Runnext were both empty.
	//course:question You look at several fields, one after another. Which way can a G take meanwhile so that every look misses it, and what change does that leave behind?
	//course:step Look at the head, the tail and Runnext. These are three moments, and in between a G may be kicked from Runnext into the ring, which is why you saw it nowhere. That moves the tail; so look at the tail once more, and if it has moved, start again.
	for {
		h := pp.Runqhead.Load()
		t := pp.Runqtail.Load()
		next := pp.Runnext.Load()
		if pp.Runqtail.Load() == t {
			return h == t && next == nil
		}
	}
}
