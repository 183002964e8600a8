// This file is yours: what you write in it is kept. The task is in README.md
// beside it, and this command checks your code:
//
//	go run ./autograder test ch03

package ch03

import "gosched/chapters/gmp"

// waitqs are the queues of a channel: doubly linked, so that one who gives up,
// as a select does in chapter 4, can leave from the middle. The channel's lock
// is held by the caller.
type waitqs struct {
	s *gmp.Sched
}

// NewWaitqs makes the Waitqs of s.
func NewWaitqs(s *gmp.Sched) gmp.Waitqs { return &waitqs{s: s} }

// Enqueue puts sg at the tail.
func (p *waitqs) Enqueue(q *gmp.Waitq, sg *gmp.Sudog) {
	// 1. sg is the last one: nobody is behind it, and before it is who was
	//    last.
	// 2. Link it from there. An empty queue has no last one: then sg is also
	//    the first.
	panic(gmp.TODO("Enqueue"))
}

// Dequeue takes the one who has waited longest, nil if there is none.
func (p *waitqs) Dequeue(q *gmp.Waitq) *gmp.Sudog {
	// 1. An empty queue has nothing to give.
	// 2. The one behind it is the first now, with nobody before it. If there
	//    is none, the queue is empty at both ends.
	// 3. Who has left points to nobody.
	panic(gmp.TODO("Dequeue"))
}

// DequeueSudoG takes sg out, wherever it stands, if it is there at all.
func (p *waitqs) DequeueSudoG(q *gmp.Waitq, sg *gmp.Sudog) {
	// 1. Is it there? One with nobody before it is there only if it is the
	//    first.
	// 2. Link its two neighbours to each other; where there is none, it is the
	//    end of the queue that changes.
	// 3. Who has left points to nobody.
	panic(gmp.TODO("DequeueSudoG"))
}
