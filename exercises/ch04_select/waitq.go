// This file is yours: what you write in it is kept. The task is in README.md
// beside it, and this command checks your code:
//
//	go run ./autograder test ch04

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
//
// Waitqs are the queues of a channel. The caller of each method holds the
// channel's lock.
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

// Dequeue takes the first sudog, nil if there is none. Its Next and Prev
// are nil afterwards. The runtime's waitq.dequeue.
//
// From chapter 4 on, a sudog that stands for a select is taken only if that
// select has no winner yet, and taking it makes this case the winner.
func (p *waitqs) Dequeue(q *gmp.Waitq) *gmp.Sudog {
	// Holds: Of all sudogs of one select only one is ever returned, to
	//        whichever M; and a sudog behind one that can no longer be had is
	//        found.
	// Question: Two Ms find the same select at the same moment, each with the
	//           lock of a different channel. What do both have in their hands?
	panic(gmp.TODO("Dequeue"))
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
