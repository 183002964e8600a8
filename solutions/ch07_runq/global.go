package ch07

import "gosched/chapters/gmp"

// Globrunqputbatch puts all of q at the tail of the global queue.
//
//course:exercise
func (p *runQueue) Globrunqputbatch(q gmp.GQueue) {
	//course:holds The Gs of q are behind all those that were on the global queue, in their order, and are counted.
	//course:step They are already linked: link the first one behind the last of the global queue, and count. Mind that either queue may be empty.
	if q.Size == 0 {
		return
	}
	global := p.s.Runq.Get()
	if global.Size > 0 {
		global.Tail.Schedlink.Set(q.Head)
	} else {
		global.Head = q.Head
	}
	global.Tail = q.Tail
	global.Size += q.Size
	p.s.Runq.Set(global)
}

// Globrunqgetbatch takes a G and its P's share of the others from the global
// queue.
//
//course:exercise
func (p *runQueue) Globrunqgetbatch(n int32) (*gmp.G, gmp.GQueue) {
	//course:holds What it returns is off the global queue; what the other Ps may want of it stays there.
	//course:step How many: what is asked for, what is there, and this P's share of it, so that the other Ps find some too; but always one.
	global := &p.s.Runq
	size := global.Get().Size
	n = min(n, size, size/p.s.Gomaxprocs.Get()+1)
	//course:step The first one is to run; the others go on a queue of their own.
	gp := global.Pop()
	var q gmp.GQueue
	for range n - 1 {
		q.PushBack(global.Pop())
	}
	return gp, q
}
