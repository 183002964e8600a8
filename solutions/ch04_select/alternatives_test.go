package ch04_test

import (
	"math"
	"slices"
	"testing"

	suite "gosched/chapters/ch04_select"
	"gosched/chapters/check"
	"gosched/chapters/gmp"
	"gosched/chapters/machine"
	"gosched/solutions"
	ch04 "gosched/solutions/ch04_select"
)

// TestAlternatives plays the suite on other right solutions.
func TestAlternatives(t *testing.T) {
	suite.Suite.TestAlternatives(t, solutions.Base("ch04"), map[string]gmp.Version{
		"other-select":       otherSelect,
		"split-and-merge":    splitAndMerge,
		"notify-slices":      notifySlices,
		"eager-semaphores":   eager,
		"recursive-treap":    recursive,
		"hasty-lists":        hasty,
		"remembering-select": remembering,
	})
	// The list of old is right, too, but it is no treap.
	t.Run("list", func(t *testing.T) {
		without("sema-tree", "sema-flat").Test(t, solutions.Base("ch04"), ch04.List)
	})
}

// without is the suite without the checks of these names.
func without(names ...string) *check.Suite {
	rest := *suite.Suite
	rest.Checks = slices.DeleteFunc(slices.Clone(rest.Checks), func(c check.Check) bool {
		return slices.Contains(names, c.Name)
	})
	return &rest
}

// otherSelect draws lots: each case gets a random number, and they are looked at
// in the order of the numbers. It keeps the channels, rather than cases, in the
// order of the locks, and looks at a case with Chansend's and Chanrecv's eyes
// before it does anything.
var otherSelect = gmp.Version{
	Waitqs: func(s *gmp.Sched) gmp.Waitqs { return swapping{solutions.Base("ch04").Waitqs(s)} },
	Select: func(s *gmp.Sched) gmp.Select { return &drawsLots{s} },
}

// swapping takes a select with a swap instead of a compare-and-swap.
type swapping struct{ gmp.Waitqs }

func (p swapping) Dequeue(q *gmp.Waitq) *gmp.Sudog {
	for q.First.Get() != nil {
		sg := q.First.Get()
		p.DequeueSudoG(q, sg)
		if !sg.IsSelect.Get() || sg.G.Get().SelectDone.Swap(1) == 0 {
			return sg
		}
	}
	return nil
}

type drawsLots struct{ s *gmp.Sched }

func (p *drawsLots) Selectgo(mp *gmp.M, gp *gmp.G, cases []gmp.Scase, block bool) (int, bool) {
	var order []int
	lot := make([]uint64, len(cases))
	for i, c := range cases {
		if c.C != nil {
			order = append(order, i)
			lot[i] = uint64(mp.Cheaprand())<<32 | uint64(mp.Cheaprand())
		}
	}
	slices.SortFunc(order, func(a, b int) int {
		if lot[a] < lot[b] {
			return -1
		}
		return 1
	})
	chans := channels(cases)
	for _, c := range chans {
		c.Lock.Lock()
	}
	for _, i := range order {
		if chosen, received, done := p.do(mp, gp, chans, cases, i); done {
			return chosen, received
		}
	}
	if !block {
		unlock(chans, nil)
		return -1, false
	}
	return p.wait(mp, gp, chans, cases)
}

// channels are those of the cases, each once, by address.
func channels(cases []gmp.Scase) []*gmp.Hchan {
	var list []*gmp.Hchan
	for _, c := range cases {
		if c.C == nil || slices.Contains(list, c.C) {
			continue
		}
		at := 0
		for at < len(list) && list[at].Addr < c.C.Addr {
			at++
		}
		list = slices.Insert(list, at, c.C)
	}
	return list
}

func unlock(chans []*gmp.Hchan, but *gmp.Hchan) {
	for _, c := range slices.Backward(chans) {
		if c != but {
			c.Lock.Unlock()
		}
	}
}

// do does case i if it can go on.
func (p *drawsLots) do(mp *gmp.M, gp *gmp.G, chans []*gmp.Hchan, cases []gmp.Scase, i int) (chosen int, received, done bool) {
	s, k := p.s, cases[i]
	c := k.C
	if k.Send {
		if c.Closed.Get() {
			unlock(chans, nil)
			s.PanicPlain(mp, gp, "send on closed channel")
			return -1, false, true
		}
		if sg := s.Dequeue(&c.Recvq); sg != nil {
			unlock(chans, c)
			s.Send(mp, c, sg, k.Elem)
			return i, false, true
		}
		if c.Qcount.Get() == c.Dataqsiz {
			return 0, false, false
		}
		s.Typedmemmove(c.Elem, c.Chanbuf(c.Sendx.Get()), k.Elem)
		if c.Sendx.Set(c.Sendx.Get() + 1); c.Sendx.Get() == c.Dataqsiz {
			c.Sendx.Set(0)
		}
		c.Qcount.Set(c.Qcount.Get() + 1)
		unlock(chans, nil)
		return i, false, true
	}
	if sg := s.Dequeue(&c.Sendq); sg != nil {
		unlock(chans, c)
		s.Recv(mp, c, sg, k.Elem)
		return i, true, true
	}
	if c.Qcount.Get() == 0 && !c.Closed.Get() {
		return 0, false, false
	}
	if received = c.Qcount.Get() > 0; received {
		if k.Elem != 0 {
			s.Typedmemmove(c.Elem, k.Elem, c.Chanbuf(c.Recvx.Get()))
		}
		if c.Recvx.Set(c.Recvx.Get() + 1); c.Recvx.Get() == c.Dataqsiz {
			c.Recvx.Set(0)
		}
		c.Qcount.Set(c.Qcount.Get() - 1)
	} else if k.Elem != 0 {
		s.Typedmemclr(c.Elem, k.Elem)
	}
	unlock(chans, nil)
	return i, received, true
}

// wait goes through the channels, and for each through the cases.
func (p *drawsLots) wait(mp *gmp.M, gp *gmp.G, chans []*gmp.Hchan, cases []gmp.Scase) (int, bool) {
	var last *gmp.Sudog
	for _, c := range chans {
		for i, k := range cases {
			if k.C != c {
				continue
			}
			sg := p.s.AcquireSudog(mp)
			sg.G.Set(gp)
			sg.C.Set(c)
			sg.Elem.Set(k.Elem)
			sg.IsSelect.Set(true)
			sg.Case.Set(i)
			if last == nil {
				gp.Waiting.Set(sg)
			} else {
				last.Waitlink.Set(sg)
			}
			last = sg
			p.s.Enqueue(queue(k), sg)
		}
	}
	gp.Selects.Set(cases)
	gp.Cont.Set((*gmp.Sched).SelectgoDone)
	reason := gmp.WaitReasonSelect
	if len(cases) == 0 {
		reason = gmp.WaitReasonSelectNoCases
	}
	p.s.Gopark(mp, gp, func(*gmp.G, any) bool { unlock(chans, nil); return true }, nil, reason)
	return -1, false
}

func queue(k gmp.Scase) *gmp.Waitq {
	if k.Send {
		return &k.C.Sendq
	}
	return &k.C.Recvq
}

// SelectgoDone takes the losers off in the order of the cases.
func (p *drawsLots) SelectgoDone(mp *gmp.M, gp *gmp.G) {
	cases, winner := gp.Selects.Get(), gp.Param.Get()
	chosen, success := winner.Case.Get(), winner.Success.Get()
	chans := channels(cases)
	for _, c := range chans {
		c.Lock.Lock()
	}
	var sudogs []*gmp.Sudog
	for sg := gp.Waiting.Get(); sg != nil; sg = sg.Waitlink.Get() {
		sudogs = append(sudogs, sg)
		p.s.DequeueSudoG(queue(cases[sg.Case.Get()]), sg) // the winner is not there any more
	}
	gp.SelectDone.Store(0)
	gp.Waiting.Set(nil)
	gp.Selects.Set(nil)
	gp.Param.Set(nil)
	unlock(chans, nil)
	for _, sg := range sudogs {
		sg.Reset()
		p.s.ReleaseSudog(mp, sg)
	}
	if cases[chosen].Send && !success {
		p.s.PanicPlain(mp, gp, "send on closed channel")
		return
	}
	p.s.SetSelected(gp, chosen, success)
}

// splitAndMerge has a treap without rotations: a new node splits the subtree that
// it goes above, and the two subtrees of a node that leaves are merged. Its
// acquirers are counted from the beginning, and its releasers always lock.
var splitAndMerge = gmp.Version{
	Semaphores: func(s *gmp.Sched) gmp.Semaphores { return &splits{s} },
}

type splits struct{ s *gmp.Sched }

func (p *splits) Semacquire1(mp *gmp.M, gp *gmp.G, addr machine.Addr, lifo bool, reason gmp.WaitReason) {
	if p.s.Cansemacquire(addr) {
		return
	}
	root := p.s.Semroot(addr)
	root.Lock.Lock()
	root.Nwait.Add(1)
	if p.s.Cansemacquire(addr) {
		root.Nwait.Add(math.MaxUint32)
		root.Lock.Unlock()
		return
	}
	sg := p.s.AcquireSudog(mp)
	sg.G.Set(gp)
	p.s.SemaQueue(mp, root, addr, sg, lifo)
	gp.Cont.Set((*gmp.Sched).SemacquireDone)
	p.s.Gopark(mp, gp, func(*gmp.G, any) bool { root.Lock.Unlock(); return true }, nil, reason)
}

func (p *splits) SemacquireDone(mp *gmp.M, gp *gmp.G) {
	sg := gp.Param.Get()
	has := sg.Ticket.Get() == 1
	sg.Reset()
	gp.Param.Set(nil)
	p.s.ReleaseSudog(mp, sg)
	if has {
		return
	}
	addr, lifo, reason := p.s.SemacquireArgs(gp)
	p.s.Semacquire1(mp, gp, addr, lifo, reason)
}

func (p *splits) Semrelease1(mp *gmp.M, gp *gmp.G, addr machine.Addr, handoff bool) {
	p.s.Semadd(addr)
	root := p.s.Semroot(addr)
	if root.Nwait.Load() == 0 {
		return
	}
	root.Lock.Lock()
	sg := p.s.SemaDequeue(mp, root, addr)
	if sg == nil {
		root.Lock.Unlock()
		return
	}
	root.Nwait.Add(math.MaxUint32)
	handed := handoff && p.s.Cansemacquire(addr)
	root.Lock.Unlock()
	if handed {
		sg.Ticket.Set(1)
	}
	sg.G.Get().Param.Set(sg)
	p.s.Goready(mp, sg.G.Get())
	if handed {
		p.s.GoschedImpl(mp, gp, false)
	}
}

func (p *splits) SemaQueue(mp *gmp.M, root *gmp.SemaRoot, addr machine.Addr, sg *gmp.Sudog, lifo bool) {
	sg.Elem.Set(addr)
	at := &root.Treap
	for at.Get() != nil && at.Get().Elem.Get() != addr {
		at = side(at.Get(), addr)
	}
	if first := at.Get(); first != nil {
		p.join(at, first, sg, lifo)
	} else {
		sg.Ticket.Set(mp.Cheaprand()/2 + 1)
		above := &root.Treap
		for above.Get() != nil && above.Get().Ticket.Get() <= sg.Ticket.Get() {
			above = side(above.Get(), addr)
		}
		below, beyond := split(above.Get(), addr)
		sg.Prev.Set(below)
		sg.Next.Set(beyond)
		above.Set(sg)
	}
	link(root.Treap.Get(), nil)
}

// join adds sg to the waiters of the node first, which hangs at the link at.
func (p *splits) join(at *machine.Cell[*gmp.Sudog], first, sg *gmp.Sudog, lifo bool) {
	last := first
	for last.Waitlink.Get() != nil {
		last = last.Waitlink.Get()
	}
	if !lifo {
		last.Waitlink.Set(sg)
		first.Waittail.Set(sg)
		return
	}
	sg.Prev.Set(first.Prev.Get())
	sg.Next.Set(first.Next.Get())
	sg.Ticket.Set(first.Ticket.Get())
	sg.Waitlink.Set(first)
	sg.Waittail.Set(last)
	first.Prev.Set(nil)
	first.Next.Set(nil)
	first.Parent.Set(nil)
	first.Waittail.Set(nil)
	at.Set(sg)
}

func (p *splits) SemaDequeue(mp *gmp.M, root *gmp.SemaRoot, addr machine.Addr) *gmp.Sudog {
	at := &root.Treap
	for at.Get() != nil && at.Get().Elem.Get() != addr {
		at = side(at.Get(), addr)
	}
	sg := at.Get()
	if sg == nil {
		return nil
	}
	if next := sg.Waitlink.Get(); next == nil {
		at.Set(merge(sg.Prev.Get(), sg.Next.Get()))
	} else {
		next.Prev.Set(sg.Prev.Get())
		next.Next.Set(sg.Next.Get())
		next.Ticket.Set(sg.Ticket.Get())
		if sg.Waittail.Get() != next {
			next.Waittail.Set(sg.Waittail.Get())
		}
		at.Set(next)
	}
	link(root.Treap.Get(), nil)
	gp := sg.G.Get()
	sg.Reset()
	sg.G.Set(gp)
	return sg
}

// side is the link of t below which addr is.
func side(t *gmp.Sudog, addr machine.Addr) *machine.Cell[*gmp.Sudog] {
	if addr < t.Elem.Get() {
		return &t.Prev
	}
	return &t.Next
}

// split cuts a tree into what is below addr and what is above it.
func split(t *gmp.Sudog, addr machine.Addr) (below, above *gmp.Sudog) {
	switch {
	case t == nil:
		return nil, nil
	case t.Elem.Get() < addr:
		near, above := split(t.Next.Get(), addr)
		t.Next.Set(near)
		return t, above
	default:
		below, near := split(t.Prev.Get(), addr)
		t.Prev.Set(near)
		return below, t
	}
}

// merge makes one tree of two, of which a is below b.
func merge(a, b *gmp.Sudog) *gmp.Sudog {
	switch {
	case a == nil:
		return b
	case b == nil:
		return a
	case a.Ticket.Get() < b.Ticket.Get():
		a.Next.Set(merge(a.Next.Get(), b))
		return a
	default:
		b.Prev.Set(merge(a, b.Prev.Get()))
		return b
	}
}

// link sets Parent in the whole tree.
func link(t, parent *gmp.Sudog) {
	if t != nil {
		t.Parent.Set(parent)
		link(t.Prev.Get(), t)
		link(t.Next.Get(), t)
	}
}

// notifySlices keeps the waiters of each list in a slice of its own, by ticket.
var notifySlices = gmp.Version{
	NotifyLists: func(s *gmp.Sched) gmp.NotifyLists {
		return &tickets{s: s, waiting: map[*gmp.NotifyList][]*gmp.Sudog{}}
	},
}

type tickets struct {
	s       *gmp.Sched
	mu      machine.Mutex
	waiting map[*gmp.NotifyList][]*gmp.Sudog
}

func (p *tickets) NotifyListAdd(l *gmp.NotifyList) uint32 {
	for {
		t := l.Wait.Load()
		if l.Wait.CompareAndSwap(t, t+1) {
			return t
		}
	}
}

func (p *tickets) NotifyListWait(mp *gmp.M, gp *gmp.G, l *gmp.NotifyList, t uint32) {
	l.Lock.Lock()
	if t-l.Notify.Load() >= 1<<31 {
		l.Lock.Unlock()
		return
	}
	sg := p.s.AcquireSudog(mp)
	sg.G.Set(gp)
	sg.Ticket.Set(t)
	p.mu.Lock()
	p.waiting[l] = append(p.waiting[l], sg)
	p.mu.Unlock()
	gp.Cont.Set((*gmp.Sched).NotifyListWaitDone)
	p.s.Gopark(mp, gp, func(*gmp.G, any) bool { l.Lock.Unlock(); return true }, nil, gmp.WaitReasonSyncCondWait)
}

func (p *tickets) NotifyListWaitDone(mp *gmp.M, gp *gmp.G) {
	p.s.ReleaseSudog(mp, gp.Param.Get())
	gp.Param.Set(nil)
}

// notify makes the tickets up to t notified and wakes their holders.
func (p *tickets) notify(mp *gmp.M, l *gmp.NotifyList, upTo func() uint32) {
	l.Lock.Lock()
	from, to := l.Notify.Load(), upTo()
	l.Notify.Store(to)
	var wake []*gmp.Sudog
	p.mu.Lock()
	p.waiting[l] = slices.DeleteFunc(p.waiting[l], func(sg *gmp.Sudog) bool {
		notified := sg.Ticket.Get()-from < to-from
		if notified {
			wake = append(wake, sg)
		}
		return notified
	})
	p.mu.Unlock()
	l.Lock.Unlock()
	for _, sg := range wake {
		sg.G.Get().Param.Set(sg)
		p.s.Goready(mp, sg.G.Get())
	}
}

func (p *tickets) NotifyListNotifyAll(mp *gmp.M, l *gmp.NotifyList) {
	p.notify(mp, l, l.Wait.Load)
}

func (p *tickets) NotifyListNotifyOne(mp *gmp.M, l *gmp.NotifyList) {
	p.notify(mp, l, func() uint32 {
		if l.Notify.Load() == l.Wait.Load() {
			return l.Notify.Load()
		}
		return l.Notify.Load() + 1
	})
}
