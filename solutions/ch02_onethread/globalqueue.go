package ch02

import "gosched/chapters/gmp"

// globalQueue is a list of Gs linked by Schedlink, from Head to Tail, which are both
// nil if it is empty.
type globalQueue struct {
	s *gmp.Sched
}

// NewGlobalQueue makes the GlobalQueue of s.
func NewGlobalQueue(s *gmp.Sched) gmp.GlobalQueue { return &globalQueue{s: s} }

// Globrunqput puts gp at the tail.
//
//course:exercise
func (p *globalQueue) Globrunqput(gp *gmp.G) {
	//course:holds Head, Tail, Size and the Schedlinks agree, and gp is the last G in all of them.
	//course:step gp is the last one now: nothing comes after it.
	q := p.s.Runq.Get()
	gp.Schedlink.Set(nil)
	//course:step Link it behind the last G. An empty queue has none: then gp is also the head.
	if q.Tail != nil {
		q.Tail.Schedlink.Set(gp)
	} else {
		q.Head = gp
	}
	q.Tail = gp
	//course:step Count it.
	q.Size++
	p.s.Runq.Set(q)
}

// Globrunqputhead puts gp at the head.
//
//course:exercise
func (p *globalQueue) Globrunqputhead(gp *gmp.G) {
	//course:holds gp is the next one taken, and the others follow it in their order.
	//course:question Which fields change if the queue was empty?
	//course:step The G that was first comes after gp.
	q := p.s.Runq.Get()
	gp.Schedlink.Set(q.Head)
	q.Head = gp
	//course:step In an empty queue gp is also the last one.
	if q.Tail == nil {
		q.Tail = gp
	}
	//course:step Count it.
	q.Size++
	p.s.Runq.Set(q)
}

// Globrunqget takes the G at the head, nil if the queue is empty.
//
//course:exercise
func (p *globalQueue) Globrunqget() *gmp.G {
	//course:holds The G that is returned is on no list, and the queue is what it was without it.
	//course:question The last G leaves, and later another one comes. Which field does Globrunqput look at then?
	//course:step An empty queue has nothing to give.
	q := p.s.Runq.Get()
	gp := q.Head
	if gp == nil {
		return nil
	}
	//course:step The G behind it is the new head. If there is none, there is no tail either.
	q.Head = gp.Schedlink.Get()
	if q.Head == nil {
		q.Tail = nil
	}
	q.Size--
	p.s.Runq.Set(q)
	//course:step The G that leaves points to no other: it may soon be on another list.
	gp.Schedlink.Set(nil)
	return gp
}
