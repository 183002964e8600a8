package ch03

import "gosched/chapters/gmp"

// waitqs are doubly linked, so that a waiter that gives up, as a select does in chapter
// 4, can leave from the middle.
type waitqs struct {
	s *gmp.Sched
}

// NewWaitqs makes the Waitqs of s.
func NewWaitqs(s *gmp.Sched) gmp.Waitqs { return &waitqs{s: s} }

// Enqueue puts sg at the tail.
//
//course:exercise
func (p *waitqs) Enqueue(q *gmp.Waitq, sg *gmp.Sudog) {
	//course:holds From First by Next and from Last by Prev the queue is the same, and sg is its last element.
	//course:step sg is the last one: nothing is behind it, and before it is the previous last one.
	sg.Next.Set(nil)
	sg.Prev.Set(q.Last.Get())
	//course:step Link it from there. An empty queue has no last one: then sg is also the first.
	if q.Last.Get() != nil {
		q.Last.Get().Next.Set(sg)
	} else {
		q.First.Set(sg)
	}
	q.Last.Set(sg)
}

// Dequeue takes the sudog that has waited longest, nil if there is none.
//
//course:exercise
func (p *waitqs) Dequeue(q *gmp.Waitq) *gmp.Sudog {
	//course:holds The sudog that has waited longest leaves, and the rest of the queue is the same from both ends.
	//course:question Which links lead to the one that leaves, and which of them must be gone?
	//course:step An empty queue has nothing to give.
	sg := q.First.Get()
	if sg == nil {
		return nil
	}
	//course:step The one behind it is now the first, with nothing before it. If there is none, the queue is empty at both ends.
	q.First.Set(sg.Next.Get())
	if q.First.Get() != nil {
		q.First.Get().Prev.Set(nil)
	} else {
		q.Last.Set(nil)
	}
	//course:step A sudog that has left points to no other.
	sg.Next.Set(nil)
	return sg
}

// DequeueSudoG removes sg, wherever it is, if it is on q at all.
//
//course:exercise
func (p *waitqs) DequeueSudoG(q *gmp.Waitq, sg *gmp.Sudog) {
	//course:holds The queue is what it was without sg, even if sg was not there.
	//course:question Four links may change: Next of the one before sg, Prev of the one behind it, First and Last. Which two change if sg is first, and which if it is last?
	//course:step Is it there? A sudog with nothing before it is there only if it is the first.
	if sg.Prev.Get() == nil && q.First.Get() != sg {
		return
	}
	//course:step Link its two neighbours to each other; where one is missing, that end of the queue changes instead.
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
	//course:step A sudog that has left points to no other.
	sg.Next.Set(nil)
	sg.Prev.Set(nil)
}
