// Package ch04 lets a goroutine wait for several things: chapter 4, Go 0.x.
//
// A select is on many queues at once, and only one of the operations that come by
// may have it. Locks have no queues: their waiters hang in a tree that is found
// by the address of the lock, so that a lock without waiters costs one word.
package ch04

import "gosched/chapters/gmp"

// Parts are the parts of this chapter.
var Parts = gmp.Version{
	Waitqs:      NewWaitqs,
	Select:      NewSelect,
	Semaphores:  NewSemaphores,
	NotifyLists: NewNotifyLists,
}

// waitqs now have waiters that are on several queues. The locks of the other channels
// that a select waits on are not held.
type waitqs struct {
	s *gmp.Sched
}

// NewWaitqs makes the Waitqs of s.
func NewWaitqs(s *gmp.Sched) gmp.Waitqs { return &waitqs{s: s} }

// Enqueue puts sg at the tail.
func (p *waitqs) Enqueue(q *gmp.Waitq, sg *gmp.Sudog) {
	sg.Prev.Set(q.Last.Get())
	if q.Last.Get() != nil {
		q.Last.Get().Next.Set(sg)
	} else {
		q.First.Set(sg)
	}
	q.Last.Set(sg)
}

// Dequeue takes the sudog that has waited longest and can still be had, nil if
// there is none.
//
//course:exercise
func (p *waitqs) Dequeue(q *gmp.Waitq) *gmp.Sudog {
	//course:holds Of all sudogs of one select only one is ever returned, to whichever M; and a sudog behind one that can no longer be had is found.
	//course:question Two Ms find the same select at the same moment, each with the lock of a different channel. What do both have in their hands?
	for {
		//course:step Take the first one off, as in chapter 3.
		sg := q.First.Get()
		if sg == nil {
			return nil
		}
		p.DequeueSudoG(q, sg)
		//course:step One that waits only here is yours: the channel's lock keeps others away.
		if !sg.IsSelect.Get() {
			return sg
		}
		//course:step A select may be found on two channels at the same moment, by two Ms that hold different locks. Its G has a word for them to agree on: the M that sets it has the select.
		if sg.G.Get().SelectDone.CompareAndSwap(0, 1) {
			return sg
		}
		//course:step If another M was first, go on with the next sudog. The loser stays off the queue; its G will not miss it.
	}
}

// DequeueSudoG removes sg, wherever it is, if it is on q at all.
func (p *waitqs) DequeueSudoG(q *gmp.Waitq, sg *gmp.Sudog) {
	if sg.Prev.Get() == nil && q.First.Get() != sg {
		return
	}
	if sg.Prev.Get() != nil {
		sg.Prev.Get().Next.Set(sg.Next.Get())
	} else {
		q.First.Set(sg.Next.Get())
	}
	if sg.Next.Get() != nil {
		sg.Next.Get().Prev.Set(sg.Prev.Get())
	} else {
		q.Last.Set(sg.Prev.Get())
	}
	sg.Next.Set(nil)
	sg.Prev.Set(nil)
}
