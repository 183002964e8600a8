package ch04_test

import (
	"gosched/chapters/gmp"
	"gosched/chapters/machine"
	"gosched/solutions"
)

// eager counts itself before it locks, looks once more than it has to, and has its sudog
// ready before it knows that it needs one. A release looks again under the lock, and takes
// what it hands over there.
var eager = gmp.Version{
	Semaphores: func(s *gmp.Sched) gmp.Semaphores { return &eagerSemas{solutions.Base("ch04").Semaphores(s), s} },
}

type eagerSemas struct {
	gmp.Semaphores
	s *gmp.Sched
}

func (p *eagerSemas) Semacquire1(mp *gmp.M, gp *gmp.G, addr machine.Addr, lifo bool, reason gmp.WaitReason) {
	s := p.s
	for range 2 {
		if s.Cansemacquire(addr) {
			return
		}
	}
	root, sg := s.Semroot(addr), s.AcquireSudog(mp)
	root.Nwait.Add(1)
	root.Lock.Lock()
	if s.Cansemacquire(addr) {
		root.Lock.Unlock()
		root.Nwait.Add(^uint32(0))
		s.ReleaseSudog(mp, sg)
		return
	}
	gp.Cont.Set((*gmp.Sched).SemacquireDone)
	sg.G.Set(gp)
	s.SemaQueue(mp, root, addr, sg, lifo)
	s.Gopark(mp, gp, func(*gmp.G, any) bool { root.Lock.Unlock(); return true }, nil, reason)
}

func (p *eagerSemas) Semrelease1(mp *gmp.M, gp *gmp.G, addr machine.Addr, handoff bool) {
	s := p.s
	s.Semadd(addr)
	root := s.Semroot(addr)
	if root.Nwait.Load() == 0 {
		return
	}
	root.Lock.Lock()
	if root.Nwait.Load() == 0 {
		root.Lock.Unlock()
		return
	}
	sg := s.SemaDequeue(mp, root, addr)
	handed := sg != nil && handoff && s.Cansemacquire(addr)
	if handed {
		sg.Ticket.Set(1)
	}
	root.Lock.Unlock()
	if sg == nil {
		return
	}
	root.Nwait.Add(^uint32(0))
	waiter := sg.G.Get()
	waiter.Param.Set(sg)
	s.Goready(mp, waiter)
	if handed {
		s.GoschedImpl(mp, gp, false)
	}
}

// recursive is a treap that is changed on the way back up.
var recursive = gmp.Version{
	Semaphores: func(s *gmp.Sched) gmp.Semaphores { return &recursiveTreap{solutions.Base("ch04").Semaphores(s)} },
}

type recursiveTreap struct{ gmp.Semaphores }

func (p *recursiveTreap) SemaQueue(mp *gmp.M, root *gmp.SemaRoot, addr machine.Addr, sg *gmp.Sudog, lifo bool) {
	sg.Elem.Set(addr)
	root.Treap.Set(p.put(mp, root.Treap.Get(), sg, lifo))
	root.Treap.Get().Parent.Set(nil)
}

// put returns the tree t with sg in it.
func (p *recursiveTreap) put(mp *gmp.M, t, sg *gmp.Sudog, lifo bool) *gmp.Sudog {
	if t == nil {
		for sg.Ticket.Get() == 0 {
			sg.Ticket.Set(mp.Cheaprand())
		}
		return sg
	}
	addr := sg.Elem.Get()
	if addr == t.Elem.Get() {
		return p.enlist(t, sg, lifo)
	}
	child := side(t, addr)
	child.Set(p.put(mp, child.Get(), sg, lifo))
	child.Get().Parent.Set(t)
	if child.Get().Ticket.Get() >= t.Ticket.Get() {
		return t
	}
	return lift(t, child)
}

// lift returns the tree t with the node at its link child above it.
func lift(t *gmp.Sudog, child *machine.Cell[*gmp.Sudog]) *gmp.Sudog {
	up := child.Get()
	inner := side(up, t.Elem.Get())
	child.Set(inner.Get())
	if inner.Get() != nil {
		inner.Get().Parent.Set(t)
	}
	inner.Set(t)
	t.Parent.Set(up)
	return up
}

// enlist adds sg to the waiters of the node t, and returns the node that is there then.
func (p *recursiveTreap) enlist(t, sg *gmp.Sudog, lifo bool) *gmp.Sudog {
	if lifo {
		sg.Waitlink.Set(t)
		if sg.Waittail.Set(t.Waittail.Get()); sg.Waittail.Get() == nil {
			sg.Waittail.Set(t)
		}
		return replace(t, sg)
	}
	last := t.Waittail.Get()
	if last == nil {
		last = t
	}
	last.Waitlink.Set(sg)
	t.Waittail.Set(sg)
	return t
}

// replace puts sg where the node t is, which then has nothing any more of the tree.
func replace(t, sg *gmp.Sudog) *gmp.Sudog {
	sg.Ticket.Set(t.Ticket.Get())
	sg.Prev.Set(t.Prev.Get())
	sg.Next.Set(t.Next.Get())
	for _, child := range []*gmp.Sudog{t.Prev.Get(), t.Next.Get()} {
		if child != nil {
			child.Parent.Set(sg)
		}
	}
	t.Ticket.Set(0)
	t.Parent.Set(nil)
	t.Prev.Set(nil)
	t.Next.Set(nil)
	t.Waittail.Set(nil)
	return sg
}

func (p *recursiveTreap) SemaDequeue(mp *gmp.M, root *gmp.SemaRoot, addr machine.Addr) *gmp.Sudog {
	at, parent := &root.Treap, (*gmp.Sudog)(nil)
	for at.Get() != nil && at.Get().Elem.Get() != addr {
		parent = at.Get()
		at = side(parent, addr)
	}
	sg := at.Get()
	if sg == nil {
		return nil
	}
	if next := sg.Waitlink.Get(); next != nil {
		if next.Waitlink.Get() != nil {
			next.Waittail.Set(sg.Waittail.Get())
		}
		at.Set(replace(sg, next))
	} else {
		at.Set(sink(sg))
	}
	if at.Get() != nil {
		at.Get().Parent.Set(parent)
	}
	*sg = gmp.Sudog{G: machine.CellOf(sg.G.Get())}
	return sg
}

// sink returns the tree t without its root.
func sink(t *gmp.Sudog) *gmp.Sudog {
	a, b := t.Prev.Get(), t.Next.Get()
	switch {
	case a == nil:
		return b
	case b == nil:
		return a
	}
	up := &t.Prev
	if b.Ticket.Get() < a.Ticket.Get() {
		up = &t.Next
	}
	root := lift(t, up)
	inner := side(root, t.Elem.Get())
	if inner.Set(sink(t)); inner.Get() != nil {
		inner.Get().Parent.Set(root)
	}
	return root
}

// hasty looks at a list before it locks it, as the runtime does, and again under the lock.
var hasty = gmp.Version{
	NotifyLists: func(s *gmp.Sched) gmp.NotifyLists { return &hastyLists{solutions.Base("ch04").NotifyLists(s), s} },
}

type hastyLists struct {
	gmp.NotifyLists
	s *gmp.Sched
}

func (p *hastyLists) NotifyListAdd(l *gmp.NotifyList) uint32 {
	l.Lock.Lock()
	defer l.Lock.Unlock()
	return l.Wait.Add(1) - 1
}

func (p *hastyLists) NotifyListWait(mp *gmp.M, gp *gmp.G, l *gmp.NotifyList, t uint32) {
	if int32(l.Notify.Load()-t) > 0 {
		return
	}
	p.NotifyLists.NotifyListWait(mp, gp, l, t)
}

func (p *hastyLists) NotifyListNotifyAll(mp *gmp.M, l *gmp.NotifyList) {
	if l.Wait.Load() == l.Notify.Load() {
		return
	}
	l.Lock.Lock()
	var gs []*gmp.G
	for l.Head.Get() != nil {
		sg := l.Head.Get()
		l.Head.Set(sg.Next.Get())
		sg.Next.Set(nil)
		sg.G.Get().Param.Set(sg)
		gs = append(gs, sg.G.Get())
	}
	l.Tail.Set(nil)
	for l.Notify.Load() != l.Wait.Load() {
		l.Notify.Store(l.Wait.Load())
	}
	l.Lock.Unlock()
	for _, gp := range gs {
		p.s.Goready(mp, gp)
	}
}

func (p *hastyLists) NotifyListNotifyOne(mp *gmp.M, l *gmp.NotifyList) {
	if l.Wait.Load() == l.Notify.Load() {
		return
	}
	p.NotifyLists.NotifyListNotifyOne(mp, l)
}

// remembering keeps, for each G that waits, which channels it has locked. It unlocks them
// in the order in which it has locked them, and stores the results before that. Its queues
// look at SelectDone before they try to set it.
var remembering = gmp.Version{
	Waitqs: func(s *gmp.Sched) gmp.Waitqs { return looking{solutions.Base("ch04").Waitqs(s)} },
	Select: func(s *gmp.Sched) gmp.Select {
		return &remembers{drawsLots: drawsLots{s}, chans: map[*gmp.G][]*gmp.Hchan{}}
	},
}

// looking leaves a select alone that has a winner, without an attempt to be it.
type looking struct{ gmp.Waitqs }

func (p looking) Dequeue(q *gmp.Waitq) *gmp.Sudog {
	for sg := q.First.Get(); sg != nil; sg = q.First.Get() {
		p.DequeueSudoG(q, sg)
		switch done := &sg.G.Get().SelectDone; {
		case !sg.IsSelect.Get(), done.Load() == 0 && done.CompareAndSwap(0, 1):
			return sg
		}
	}
	return nil
}

type remembers struct {
	drawsLots
	mu    machine.Mutex
	chans map[*gmp.G][]*gmp.Hchan
}

func (p *remembers) Selectgo(mp *gmp.M, gp *gmp.G, cases []gmp.Scase, block bool) (int, bool) {
	p.mu.Lock()
	p.chans[gp] = channels(cases)
	p.mu.Unlock()
	return p.drawsLots.Selectgo(mp, gp, cases, block)
}

func (p *remembers) SelectgoDone(mp *gmp.M, gp *gmp.G) {
	p.mu.Lock()
	chans := p.chans[gp]
	delete(p.chans, gp)
	p.mu.Unlock()
	winner, cases := gp.Param.Get(), gp.Selects.Get()
	for _, c := range chans {
		c.Lock.Lock()
	}
	closed := cases[winner.Case.Get()].Send && !winner.Success.Get()
	if !closed {
		p.s.SetSelected(gp, winner.Case.Get(), winner.Success.Get())
	}
	var sudogs []*gmp.Sudog
	for sg := gp.Waiting.Get(); sg != nil; sg = sg.Waitlink.Get() {
		if sudogs = append(sudogs, sg); sg != winner {
			p.s.DequeueSudoG(queue(cases[sg.Case.Get()]), sg)
		}
	}
	gp.Waiting.Set(nil)
	gp.SelectDone.Store(0)
	for _, c := range chans {
		c.Lock.Unlock()
	}
	gp.Selects.Set(nil)
	gp.Param.Set(nil)
	for _, sg := range sudogs {
		*sg = gmp.Sudog{}
		p.s.ReleaseSudog(mp, sg)
	}
	if closed {
		p.s.PanicPlain(mp, gp, "send on closed channel")
	}
}
