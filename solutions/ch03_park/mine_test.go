package ch03_test

import (
	"testing"

	suite "gosched/chapters/ch03_park"
	"gosched/chapters/check"
	"gosched/chapters/gmp"
	"gosched/solutions"
)

// mine tests the queues of waiters of s: Enqueue, Dequeue and DequeueSudoG. A gmp.Waitq is
// ready for use, and so are sudogs made by hand, new(gmp.Sudog). Nothing else uses them,
// so no lock is needed. Report what is wrong with t.Errorf.
//
//course:exercise
func mine(t check.TB, s *gmp.Sched) {
	//course:lead In how many places can a sudog be on a queue of four? What do you see of the queue from its front, and what from its back?
	//course:step Make a queue, and a few sudogs.
	var q gmp.Waitq
	var sg [4]*gmp.Sudog
	for i := range sg {
		sg[i] = new(gmp.Sudog)
	}
	//course:step A queue with two links has two directions. After each change, walk it both ways; at each end it must stop.
	want := func(what string, on ...*gmp.Sudog) {
		at := q.First.Get()
		for _, sg := range on {
			if at != sg {
				t.Errorf("%s: forward, the queue is wrong", what)
				return
			}
			at = at.Next.Get()
		}
		back := q.Last.Get()
		for i := len(on) - 1; i >= 0; i-- {
			if back != on[i] {
				t.Errorf("%s: backward, the queue is wrong", what)
				return
			}
			back = back.Prev.Get()
		}
		if at != nil || back != nil {
			t.Errorf("%s: the queue does not end where it should", what)
		}
	}
	//course:step A sudog that has left points to no other.
	left := func(what string, sg *gmp.Sudog) {
		if sg == nil || sg.Next.Get() != nil || sg.Prev.Get() != nil {
			t.Errorf("%s: a sudog that has left the queue still has a link", what)
		}
	}
	//course:step In order, until it is empty, and once more.
	for range 2 {
		s.Enqueue(&q, sg[0])
		s.Enqueue(&q, sg[1])
		want("two are on it", sg[0], sg[1])
		left("the first is dequeued", s.Dequeue(&q))
		want("one is left", sg[1])
		left("the second is dequeued", s.Dequeue(&q))
		want("none is left")
	}
	//course:step From the middle, from both ends, as the only one, and one that is not there.
	for i := range sg {
		for _, sg := range sg {
			s.Enqueue(&q, sg)
		}
		s.DequeueSudoG(&q, sg[i])
		left("one leaves from somewhere", sg[i])
		var rest []*gmp.Sudog
		for j, sg := range sg {
			if j != i {
				rest = append(rest, sg)
			}
		}
		want("one has left from somewhere", rest...)
		s.DequeueSudoG(&q, sg[i])
		want("one leaves that has left already", rest...)
		for _, sg := range rest {
			s.DequeueSudoG(&q, sg)
		}
		want("all have left")
	}
	s.Enqueue(&q, sg[0])
	s.DequeueSudoG(&q, sg[1])
	want("one leaves that was never there", sg[0])
}

// TestMine runs your test on correct queues, where it must pass, and on wrong
// ones, where it must fail.
func TestMine(t *testing.T) {
	suite.Suite.TestMine(t, solutions.Base("ch03"), solutions.Mutants("ch03"), mine)
}
