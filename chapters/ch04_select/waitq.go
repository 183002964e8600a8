package ch04

import (
	"gosched/chapters/check"
	"gosched/chapters/gmp"
	"gosched/chapters/machine"
)

// waitqOneWinner lets one select stand on two queues, before and behind others.
func waitqOneWinner(t *check.T) {
	w := newWorld(t)
	plain, sel := w.newG(), w.newG()
	var q1, q2 gmp.Waitq
	first, second := &gmp.Sudog{G: machine.CellOf(sel), IsSelect: machine.CellOf[bool](true)}, &gmp.Sudog{G: machine.CellOf(sel), IsSelect: machine.CellOf[bool](true), Case: machine.CellOf[int](1)}
	behind := &gmp.Sudog{G: machine.CellOf(plain)}
	w.s.Enqueue(&q1, first)
	w.s.Enqueue(&q2, second)
	w.s.Enqueue(&q2, behind)
	if got := w.s.Dequeue(&q1); got != first {
		t.Fatalf("G%d waits in a select on two queues; Dequeue of the first queue did not return its sudog there", sel.Goid.Get())
	}
	if sel.SelectDone.Load() != 1 {
		t.Errorf("Dequeue took a select's case, and SelectDone of its G is %d; want 1, so that nobody takes another case", sel.SelectDone.Load())
	}
	switch got := w.s.Dequeue(&q2); got {
	case second:
		t.Errorf("two cases of one select were taken: Dequeue of the second queue returned a sudog whose select had a winner already")
	case nil:
		t.Errorf("Dequeue of the second queue returned nil; behind the select, which has a winner, G%d waits", plain.Goid.Get())
	case behind:
	default:
		t.Errorf("Dequeue returned a sudog that was never there")
	}
	if second.Next.Get() != nil || second.Prev.Get() != nil {
		t.Errorf("a sudog that was passed over has left the queue, but still has a link")
	}
	if q2.First.Get() != nil || q2.Last.Get() != nil {
		t.Errorf("the second queue should be empty: one was passed over, one was taken")
	}
	if w.s.Dequeue(&q2) != nil {
		t.Errorf("Dequeue of an empty queue returned a sudog")
	}
}

// waitqPlain lets Gs wait that are in no select: SelectDone is none of their
// business.
func waitqPlain(t *check.T) {
	w := newWorld(t)
	gp := w.newG()
	gp.SelectDone.Store(1)
	var q gmp.Waitq
	a, b := &gmp.Sudog{G: machine.CellOf(gp)}, &gmp.Sudog{G: machine.CellOf(w.newG())}
	w.s.Enqueue(&q, a)
	w.s.Enqueue(&q, b)
	if w.s.Dequeue(&q) != a || w.s.Dequeue(&q) != b {
		t.Errorf("two Gs wait, in no select; Dequeue did not return them in the order in which they came")
	}
	if b.G.Get().SelectDone.Load() != 0 {
		t.Errorf("Dequeue of a G that is in no select has set its SelectDone")
	}
}

// visible checks that the models see what the parts share.
func visible(t *check.T) {
	w := newWorld(t)
	w.s.Dequeue(new(gmp.Waitq))
	t.Visible()
}
