// Package ch04 lets a goroutine wait for several things: chapter 4, Go 0.x.
//
// A select stands on many queues at once, and only one of those who come by may
// have it. Locks stand on none: their waiters hang in a tree that is found by the
// address of the lock, so that a lock that nobody waits for costs one word.
package ch04

import "gosched/chapters/gmp"

// Parts are the parts of this chapter.
var Parts = gmp.Version{
	Waitqs:      NewWaitqs,
	Select:      NewSelect,
	Semaphores:  NewSemaphores,
	NotifyLists: NewNotifyLists,
}

// waitqs now have waiters that stand on several queues. The locks of the other channels
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

// Dequeue takes the one who has waited longest and can still be had, nil if there
// is none.
//
//course:exercise
func (p *waitqs) Dequeue(q *gmp.Waitq) *gmp.Sudog {
	//course:holds Of all sudogs of one select only one is ever returned, to whichever M; and whoever waits behind one that cannot be had any more is found.
	//course:question Two Ms find the same select at the same moment, each with the lock of another channel. What do both have in their hands?
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
		//course:step A select may be found on two channels at the same moment, by two Ms that hold different locks. Its G has a word for them to agree on: whoever sets it has it.
		if sg.G.Get().SelectDone.CompareAndSwap(0, 1) {
			return sg
		}
		//course:step If another was first, go on with the next one. The loser stays off the queue; its G will not miss it.
	}
}

// DequeueSudoG takes sg out, wherever it stands, if it is there at all.
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
