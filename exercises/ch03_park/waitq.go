// This file is yours: what you write in it is kept. The task is in README.md
// beside it, and this command checks your code:
//
//	go run ./autograder test ch03

package ch03

import "gosched/chapters/gmp"

// waitqs are doubly linked, so that a waiter that gives up, as a select does in chapter
// 4, can leave from the middle.
//
// Waitqs are the queues of a channel. The caller of each method holds the
// channel's lock.
type waitqs struct {
	s *gmp.Sched
}

// NewWaitqs makes the Waitqs of s.
func NewWaitqs(s *gmp.Sched) gmp.Waitqs { return &waitqs{s: s} }

// Enqueue puts sg, which is on no queue, at the tail. The runtime's
// waitq.enqueue.
func (p *waitqs) Enqueue(q *gmp.Waitq, sg *gmp.Sudog) {
	// Holds: From First by Next and from Last by Prev the queue is the same,
	//        and sg is its last element.
	panic(gmp.TODO("Enqueue"))
}

// Dequeue takes the first sudog, nil if there is none. Its Next and Prev
// are nil afterwards. The runtime's waitq.dequeue.
func (p *waitqs) Dequeue(q *gmp.Waitq) *gmp.Sudog {
	// Holds: The sudog that has waited longest leaves, and the rest of the
	//        queue is the same from both ends.
	// Question: Which links lead to the one that leaves, and which of them
	//           must be gone?
	panic(gmp.TODO("Dequeue"))
}

// DequeueSudoG removes sg, wherever it is on q; its Next and Prev are nil
// afterwards. If sg is not on q, because a waker has dequeued it, nothing
// happens. The runtime's waitq.dequeueSudoG.
func (p *waitqs) DequeueSudoG(q *gmp.Waitq, sg *gmp.Sudog) {
	// Holds: The queue is what it was without sg, even if sg was not there.
	// Question: Four links may change: Next of the one before sg, Prev of the
	//           one behind it, First and Last. Which two change if sg is
	//           first, and which if it is last?
	panic(gmp.TODO("DequeueSudoG"))
}
