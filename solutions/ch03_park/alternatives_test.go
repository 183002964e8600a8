package ch03_test

import (
	"slices"
	"testing"

	suite "gosched/chapters/ch03_park"
	"gosched/chapters/gmp"
	"gosched/chapters/machine"
	"gosched/solutions"
)

// TestAlternatives plays the suite on other right solutions.
func TestAlternatives(t *testing.T) {
	suite.Suite.TestAlternatives(t, solutions.Base("ch03"), map[string]gmp.Version{
		"own-state":      ownState,
		"one-path":       onePath,
		"eager":          eager,
		"notes-unlocked": notesUnlocked,
		"shared-stock":   sharedStock,
		"back-to-front":  backToFront,
		"guarded":        guarded,
	})
}

// ownState keeps sudogs in a slice of its own, and queues of waiters in slices
// from which it writes the links anew after each change.
var ownState = gmp.Version{
	Parking: func(s *gmp.Sched) gmp.Parking { return &stepwise{s} },
	Sudogs:  func(s *gmp.Sched) gmp.Sudogs { return &stock{s: s} },
	Waitqs:  func(s *gmp.Sched) gmp.Waitqs { return &sliceQueues{} },
}

// stepwise parks in other steps: it notes first whether there is a lock.
type stepwise struct{ s *gmp.Sched }

func (p *stepwise) Gopark(mp *gmp.M, gp *gmp.G, unlockf func(gp *gmp.G, lock any) bool, lock any, reason gmp.WaitReason) {
	if st := gp.Atomicstatus.Load(); st != gmp.Grunning && st != gmp.Grunning|gmp.Gscan {
		p.s.Throw("gopark: bad g status")
	}
	gp.Waitreason.Set(reason)
	p.s.Casgstatus(gp, gmp.Grunning, gmp.Gwaiting)
	gp.M.Set(nil)
	mp.Curg.Set(nil)
	stays := unlockf == nil || unlockf(gp, lock)
	if stays {
		p.s.Schedule(mp)
		return
	}
	p.s.Casgstatus(gp, gmp.Gwaiting, gmp.Grunnable)
	p.s.Execute(mp, gp, true)
}

func (p *stepwise) Goready(mp *gmp.M, gp *gmp.G) { p.s.Ready(mp, gp, true) }

// stock keeps free sudogs in a slice of each M.
type stock struct {
	s    *gmp.Sched
	free gmp.PerM[[]*gmp.Sudog]
}

func (p *stock) AcquireSudog(mp *gmp.M) *gmp.Sudog {
	free := p.free.Of(mp)
	last := len(*free) - 1
	if last < 0 {
		return &gmp.Sudog{}
	}
	sg := (*free)[last]
	*free = (*free)[:last]
	*sg = gmp.Sudog{}
	link(mp, *free)
	return sg
}

func (p *stock) ReleaseSudog(mp *gmp.M, sg *gmp.Sudog) {
	for _, f := range []struct {
		what string
		set  bool
	}{
		{"non-nil elem", sg.Elem.Get() != 0}, {"non-false isSelect", sg.IsSelect.Get()}, {"non-nil next", sg.Next.Get() != nil},
		{"non-nil prev", sg.Prev.Get() != nil}, {"non-nil waitlink", sg.Waitlink.Get() != nil}, {"non-nil c", sg.C.Get() != nil},
	} {
		if f.set {
			p.s.Throw("runtime: sudog with " + f.what)
		}
	}
	free := p.free.Of(mp)
	*free = append(*free, sg)
	link(mp, *free)
}

// link lets mp.Sudogcache show what is free.
func link(mp *gmp.M, free []*gmp.Sudog) {
	mp.Sudogcache.Set(nil)
	for _, sg := range free {
		sg.Next.Set(mp.Sudogcache.Get())
		mp.Sudogcache.Set(sg)
	}
}

type sliceQueues struct{}

func on(q *gmp.Waitq) []*gmp.Sudog {
	var list []*gmp.Sudog
	for sg := q.First.Get(); sg != nil; sg = sg.Next.Get() {
		list = append(list, sg)
	}
	return list
}

func relink(q *gmp.Waitq, list []*gmp.Sudog) {
	*q = gmp.Waitq{}
	for i, sg := range list {
		sg.Next.Set(nil)
		sg.Prev.Set(q.Last.Get())
		if i == 0 {
			q.First.Set(sg)
		} else {
			q.Last.Get().Next.Set(sg)
		}
		q.Last.Set(sg)
	}
}

func (sliceQueues) Enqueue(q *gmp.Waitq, sg *gmp.Sudog) { relink(q, append(on(q), sg)) }

func (sliceQueues) Dequeue(q *gmp.Waitq) *gmp.Sudog {
	list := on(q)
	if len(list) == 0 {
		return nil
	}
	relink(q, list[1:])
	list[0].Next.Set(nil)
	list[0].Prev.Set(nil)
	return list[0]
}

func (sliceQueues) DequeueSudoG(q *gmp.Waitq, sg *gmp.Sudog) {
	list := on(q)
	if i := slices.Index(list, sg); i >= 0 {
		relink(q, slices.Delete(list, i, i+1))
		sg.Next.Set(nil)
		sg.Prev.Set(nil)
	}
}

// onePath has one way to wait and one way to wake for all operations, closes the
// queue by queue with a slice of Gs, and takes each value through the buffer's
// arithmetic of counts: the tail is the head plus the number of elements.
var onePath = gmp.Version{
	Channels: func(s *gmp.Sched) gmp.Channels { return &counting{s: s} },
}

type counting struct {
	s *gmp.Sched
}

func (p *counting) Makechan(mp *gmp.M, gp *gmp.G, elem *machine.Type, size int64) *gmp.Hchan {
	fits := size >= 0
	if fits && elem.Size > 0 {
		fits = size <= (gmp.MaxAlloc-1)/elem.Size
	}
	if fits {
		return p.s.NewHchan(mp, elem, size)
	}
	p.s.PanicPlain(mp, gp, "makechan: size out of range")
	return nil
}

func (p *counting) wait(mp *gmp.M, gp *gmp.G, c *gmp.Hchan, q *gmp.Waitq, elem machine.Addr, done func(*gmp.Sched, *gmp.M, *gmp.G), reason gmp.WaitReason) {
	sg := p.s.AcquireSudog(mp)
	sg.G.Set(gp)
	sg.C.Set(c)
	sg.Elem.Set(elem)
	gp.Waiting.Set(sg)
	gp.Cont.Set(done)
	p.s.Enqueue(q, sg)
	p.s.Gopark(mp, gp, func(*gmp.G, any) bool { c.Lock.Unlock(); return true }, nil, reason)
}

func (p *counting) over(mp *gmp.M, gp *gmp.G) (success bool) {
	sg := gp.Param.Get()
	gp.Waiting.Set(nil)
	gp.Param.Set(nil)
	success = sg.Success.Get()
	sg.C.Set(nil)
	p.s.ReleaseSudog(mp, sg)
	return success
}

func (p *counting) wake(mp *gmp.M, c *gmp.Hchan, success bool, sgs ...*gmp.Sudog) {
	var gs []*gmp.G
	for _, sg := range sgs {
		sg.Elem.Set(0)
		sg.Success.Set(success)
		sg.G.Get().Param.Set(sg)
		gs = append(gs, sg.G.Get())
	}
	c.Lock.Unlock()
	for _, gp := range gs {
		p.s.Goready(mp, gp)
	}
}

// put and take use Recvx and Qcount, and keep Sendx as the contract has it.
func (p *counting) put(c *gmp.Hchan, elem machine.Addr) {
	p.s.Typedmemmove(c.Elem, c.Chanbuf((c.Recvx.Get()+c.Qcount.Get())%c.Dataqsiz), elem)
	c.Qcount.Set(c.Qcount.Get() + 1)
	c.Sendx.Set((c.Recvx.Get() + c.Qcount.Get()) % c.Dataqsiz)
}

func (p *counting) take(c *gmp.Hchan, elem machine.Addr) {
	if elem != 0 {
		p.s.Typedmemmove(c.Elem, elem, c.Chanbuf(c.Recvx.Get()))
	}
	p.s.Typedmemclr(c.Elem, c.Chanbuf(c.Recvx.Get())) // as the runtime does, for its collector
	c.Recvx.Set((c.Recvx.Get() + 1) % c.Dataqsiz)
	c.Qcount.Set(c.Qcount.Get() - 1)
}

func (p *counting) Chansend(mp *gmp.M, gp *gmp.G, c *gmp.Hchan, elem machine.Addr, block bool) bool {
	if c == nil {
		if block {
			p.s.Gopark(mp, gp, nil, nil, gmp.WaitReasonChanSendNilChan)
		}
		return false
	}
	c.Lock.Lock()
	switch {
	case c.Closed.Get():
		c.Lock.Unlock()
		p.s.PanicPlain(mp, gp, "send on closed channel")
		return false
	case c.Recvq.First.Get() != nil:
		p.s.Send(mp, c, p.s.Dequeue(&c.Recvq), elem)
		return true
	case c.Qcount.Get() < c.Dataqsiz:
		p.put(c, elem)
		c.Lock.Unlock()
		return true
	case !block:
		c.Lock.Unlock()
		return false
	}
	p.wait(mp, gp, c, &c.Sendq, elem, (*gmp.Sched).ChansendDone, gmp.WaitReasonChanSend)
	return false
}

func (p *counting) ChansendDone(mp *gmp.M, gp *gmp.G) {
	if !p.over(mp, gp) {
		p.s.PanicPlain(mp, gp, "send on closed channel")
	}
}

func (p *counting) Chanrecv(mp *gmp.M, gp *gmp.G, c *gmp.Hchan, elem machine.Addr, block bool) (selected, received bool) {
	if c == nil {
		if block {
			p.s.Gopark(mp, gp, nil, nil, gmp.WaitReasonChanReceiveNilChan)
		}
		return false, false
	}
	c.Lock.Lock()
	switch {
	case c.Closed.Get() && c.Qcount.Get() == 0:
		c.Lock.Unlock()
		if elem != 0 {
			p.s.Typedmemclr(c.Elem, elem)
		}
		return true, false
	case c.Sendq.First.Get() != nil:
		p.s.Recv(mp, c, p.s.Dequeue(&c.Sendq), elem)
		return true, true
	case c.Qcount.Get() > 0:
		p.take(c, elem)
		c.Lock.Unlock()
		return true, true
	case !block:
		c.Lock.Unlock()
		return false, false
	}
	p.wait(mp, gp, c, &c.Recvq, elem, (*gmp.Sched).ChanrecvDone, gmp.WaitReasonChanReceive)
	return false, false
}

func (p *counting) ChanrecvDone(mp *gmp.M, gp *gmp.G) { p.s.SetReceived(gp, p.over(mp, gp)) }

func (p *counting) Closechan(mp *gmp.M, gp *gmp.G, c *gmp.Hchan) {
	if c == nil {
		p.s.PanicPlain(mp, gp, "close of nil channel")
		return
	}
	c.Lock.Lock()
	if c.Closed.Get() {
		c.Lock.Unlock()
		p.s.PanicPlain(mp, gp, "close of closed channel")
		return
	}
	c.Closed.Set(true)
	var sgs []*gmp.Sudog
	for c.Sendq.First.Get() != nil {
		sgs = append(sgs, p.s.Dequeue(&c.Sendq))
	}
	for c.Recvq.First.Get() != nil {
		sg := p.s.Dequeue(&c.Recvq)
		if sg.Elem.Get() != 0 {
			p.s.Typedmemclr(c.Elem, sg.Elem.Get())
		}
		sgs = append(sgs, sg)
	}
	p.wake(mp, c, false, sgs...)
}

func (p *counting) Send(mp *gmp.M, c *gmp.Hchan, sg *gmp.Sudog, elem machine.Addr) {
	if sg.Elem.Get() != 0 {
		p.s.Typedmemmove(c.Elem, sg.Elem.Get(), elem)
	}
	p.wake(mp, c, true, sg)
}

func (p *counting) Recv(mp *gmp.M, c *gmp.Hchan, sg *gmp.Sudog, elem machine.Addr) {
	switch {
	case c.Dataqsiz > 0:
		p.take(c, elem)
		p.put(c, sg.Elem.Get())
	case elem != 0:
		p.s.Typedmemmove(c.Elem, elem, sg.Elem.Get())
	}
	p.wake(mp, c, true, sg)
}

// eager asks without waiting first, and only then, with the channel locked again,
// a second time: between the two nobody can have come on one thread, and on many
// the second look decides.
var eager = gmp.Version{
	Channels: func(s *gmp.Sched) gmp.Channels { return &twoLooks{counting{s}} },
}

type twoLooks struct{ counting }

func (p *twoLooks) Chansend(mp *gmp.M, gp *gmp.G, c *gmp.Hchan, elem machine.Addr, block bool) bool {
	if c != nil && block {
		c.Lock.Lock()
		ready := !c.Closed.Get() && (c.Recvq.First.Get() != nil || c.Qcount.Get() < c.Dataqsiz)
		c.Lock.Unlock()
		if ready && p.counting.Chansend(mp, gp, c, elem, false) {
			return true
		}
	}
	return p.counting.Chansend(mp, gp, c, elem, block)
}

func (p *twoLooks) Chanrecv(mp *gmp.M, gp *gmp.G, c *gmp.Hchan, elem machine.Addr, block bool) (selected, received bool) {
	if selected, received = p.counting.Chanrecv(mp, gp, c, elem, false); selected || !block {
		return selected, received
	}
	return p.counting.Chanrecv(mp, gp, c, elem, true)
}

// notesUnlocked unlocks the channel as soon as the value has moved, and only then writes
// what the sleeper shall know, whose sudog nobody else can find: as the runtime's send and
// recv do.
var notesUnlocked = gmp.Version{
	Channels: func(s *gmp.Sched) gmp.Channels { return &early{counting{s}} },
}

type early struct{ counting }

func (p *early) tell(mp *gmp.M, sg *gmp.Sudog, success bool) {
	gp := sg.G.Get()
	sg.Success.Set(success)
	gp.Param.Set(sg)
	p.s.Goready(mp, gp)
}

func (p *early) Send(mp *gmp.M, c *gmp.Hchan, sg *gmp.Sudog, elem machine.Addr) {
	if to := sg.Elem.Get(); to != 0 {
		p.s.Typedmemmove(c.Elem, to, elem)
	}
	sg.Elem.Set(0)
	c.Lock.Unlock()
	p.tell(mp, sg, true)
}

func (p *early) Recv(mp *gmp.M, c *gmp.Hchan, sg *gmp.Sudog, elem machine.Addr) {
	switch {
	case c.Dataqsiz > 0:
		p.take(c, elem)
		p.put(c, sg.Elem.Get())
	case elem != 0:
		p.s.Typedmemmove(c.Elem, elem, sg.Elem.Get())
	}
	sg.Elem.Set(0)
	c.Lock.Unlock()
	p.tell(mp, sg, true)
}

func (p *early) Closechan(mp *gmp.M, gp *gmp.G, c *gmp.Hchan) {
	if c == nil {
		p.s.PanicPlain(mp, gp, "close of nil channel")
		return
	}
	c.Lock.Lock()
	again := c.Closed.Get()
	c.Closed.Set(true)
	var waiting []*gmp.Sudog
	for _, q := range []*gmp.Waitq{&c.Recvq, &c.Sendq} {
		for sg := p.s.Dequeue(q); sg != nil; sg = p.s.Dequeue(q) {
			if q == &c.Recvq && sg.Elem.Get() != 0 {
				p.s.Typedmemclr(c.Elem, sg.Elem.Get())
			}
			sg.Elem.Set(0)
			waiting = append(waiting, sg)
		}
	}
	c.Lock.Unlock()
	if again {
		p.s.PanicPlain(mp, gp, "close of closed channel")
	}
	for _, sg := range waiting {
		p.tell(mp, sg, false)
	}
}

// sharedStock has sudogs for all Ms under a lock. An M that has none takes eight at once,
// and gives all back when it has more than eight; the oldest is used first.
var sharedStock = gmp.Version{
	Sudogs: func(s *gmp.Sched) gmp.Sudogs { return &wholesale{stock: stock{s: s}} },
}

type wholesale struct {
	stock
	lock machine.Mutex
	all  machine.Cell[[]*gmp.Sudog]
	mine gmp.PerM[[]*gmp.Sudog]
}

const dozen = 8

func (p *wholesale) AcquireSudog(mp *gmp.M) *gmp.Sudog {
	mine := p.mine.Of(mp)
	if len(*mine) == 0 {
		p.lock.Lock()
		all := p.all.Get()
		n := min(len(all), dozen)
		*mine = append(*mine, all[:n]...)
		p.all.Set(all[n:])
		p.lock.Unlock()
		for len(*mine) < dozen {
			*mine = append(*mine, new(gmp.Sudog))
		}
	}
	sg := (*mine)[0]
	*mine = (*mine)[1:]
	return sg
}

func (p *wholesale) ReleaseSudog(mp *gmp.M, sg *gmp.Sudog) {
	p.stock.ReleaseSudog(mp, sg) // throws
	*p.stock.free.Of(mp) = nil
	mp.Sudogcache.Set(nil)
	*sg = gmp.Sudog{}
	mine := p.mine.Of(mp)
	if *mine = append(*mine, sg); len(*mine) <= dozen {
		return
	}
	p.lock.Lock()
	p.all.Set(append(p.all.Get(), *mine...))
	p.lock.Unlock()
	*mine = nil
}

// backToFront does what may be done in any order in the other one: a close takes senders
// first and from the tail, what is left to do and the place on the queue come before the
// sudog says anything, and a woken G goes by Param.
var backToFront = gmp.Version{
	Channels: func(s *gmp.Sched) gmp.Channels { return &reversed{counting{s}} },
}

type reversed struct{ counting }

func (p *reversed) Chansend(mp *gmp.M, gp *gmp.G, c *gmp.Hchan, elem machine.Addr, block bool) bool {
	if c == nil || !block {
		return p.counting.Chansend(mp, gp, c, elem, block)
	}
	c.Lock.Lock()
	full := c.Qcount.Get() == c.Dataqsiz
	switch sg := p.s.Dequeue(&c.Recvq); {
	case sg != nil: // an open channel, or nobody would wait
		p.s.Send(mp, c, sg, elem)
		return true
	case full && !c.Closed.Get():
		gp.Cont.Set((*gmp.Sched).ChansendDone)
		p.hang(mp, gp, c, &c.Sendq, elem)
		p.s.Gopark(mp, gp, p.unlocks(c), gp, gmp.WaitReasonChanSend)
		return false
	}
	if c.Closed.Get() {
		c.Lock.Unlock()
		p.s.PanicPlain(mp, gp, "send on closed channel")
		return false
	}
	p.put(c, elem)
	c.Lock.Unlock()
	return true
}

func (p *reversed) Chanrecv(mp *gmp.M, gp *gmp.G, c *gmp.Hchan, elem machine.Addr, block bool) (selected, received bool) {
	if c == nil {
		return p.counting.Chanrecv(mp, gp, c, elem, block)
	}
	c.Lock.Lock()
	if c.Qcount.Get() == 0 && c.Sendq.First.Get() == nil && !c.Closed.Get() && block {
		gp.Cont.Set((*gmp.Sched).ChanrecvDone)
		p.hang(mp, gp, c, &c.Recvq, elem)
		p.s.Gopark(mp, gp, p.unlocks(c), gp, gmp.WaitReasonChanReceive)
		return false, false
	}
	c.Lock.Unlock()
	// Somebody may take it meanwhile; then all begins anew.
	if selected, received = p.counting.Chanrecv(mp, gp, c, elem, false); selected || !block {
		return selected, received
	}
	return p.Chanrecv(mp, gp, c, elem, block)
}

func (p *reversed) hang(mp *gmp.M, gp *gmp.G, c *gmp.Hchan, q *gmp.Waitq, elem machine.Addr) {
	sg := p.s.AcquireSudog(mp)
	p.s.Enqueue(q, sg)
	gp.Waiting.Set(sg)
	sg.Elem.Set(elem)
	sg.C.Set(c)
	sg.G.Set(gp)
}

func (p *reversed) unlocks(c *gmp.Hchan) func(gp *gmp.G, lock any) bool {
	return func(*gmp.G, any) bool {
		c.Lock.Unlock()
		return true
	}
}

func (p *reversed) ChansendDone(mp *gmp.M, gp *gmp.G) {
	if sg := gp.Param.Get(); !sg.Success.Get() {
		p.s.PanicPlain(mp, gp, "send on closed channel")
	}
	p.forget(mp, gp)
}

func (p *reversed) ChanrecvDone(mp *gmp.M, gp *gmp.G) {
	p.s.SetReceived(gp, gp.Param.Get().Success.Get())
	p.forget(mp, gp)
}

func (p *reversed) forget(mp *gmp.M, gp *gmp.G) {
	sg := gp.Param.Get()
	sg.C.Set(nil)
	p.s.ReleaseSudog(mp, sg)
	gp.Param.Set(nil)
	gp.Waiting.Set(nil)
}

func (p *reversed) Closechan(mp *gmp.M, gp *gmp.G, c *gmp.Hchan) {
	if c == nil {
		p.s.PanicPlain(mp, gp, "close of nil channel")
		return
	}
	c.Lock.Lock()
	if c.Closed.Get() {
		c.Lock.Unlock()
		p.s.PanicPlain(mp, gp, "close of closed channel")
		return
	}
	var sgs []*gmp.Sudog
	for _, q := range []*gmp.Waitq{&c.Sendq, &c.Recvq} {
		for sg := q.Last.Get(); sg != nil; sg = q.Last.Get() {
			p.s.DequeueSudoG(q, sg)
			if q == &c.Recvq && sg.Elem.Get() != 0 {
				p.s.Typedmemclr(c.Elem, sg.Elem.Get())
			}
			sgs = append(sgs, sg)
		}
	}
	c.Closed.Set(true)
	p.wake(mp, c, false, sgs...)
}

// guarded has a lock of its own around what each part does to a G or a queue, counts who
// waits, and looks once more whether a G that it makes ready is one of them.
var guarded = gmp.Version{
	Parking: func(s *gmp.Sched) gmp.Parking { return &counted{s: s} },
	Waitqs:  func(s *gmp.Sched) gmp.Waitqs { return &lockedQueues{} },
}

type counted struct {
	s       *gmp.Sched
	lock    machine.Mutex
	waiting machine.Cell[map[*gmp.G]bool]
	parks   machine.Uint64
}

func (p *counted) Gopark(mp *gmp.M, gp *gmp.G, unlockf func(gp *gmp.G, lock any) bool, lock any, reason gmp.WaitReason) {
	if gp.Atomicstatus.Load()&^gmp.Gscan != gmp.Grunning {
		p.s.Throw("gopark: bad g status")
	}
	p.lock.Lock()
	waiting := p.waiting.Get()
	if waiting == nil {
		waiting = map[*gmp.G]bool{}
	}
	waiting[gp] = true
	p.waiting.Set(waiting)
	gp.Waitreason.Set(reason)
	p.s.Casgstatus(gp, gmp.Grunning, gmp.Gwaiting)
	p.s.Dropg(mp)
	p.lock.Unlock()
	p.parks.Add(1)
	if unlockf == nil || unlockf(gp, lock) {
		p.s.Schedule(mp)
		return
	}
	p.left(gp)
	p.s.Casgstatus(gp, gmp.Gwaiting, gmp.Grunnable)
	p.s.Execute(mp, gp, true)
}

func (p *counted) left(gp *gmp.G) {
	p.lock.Lock()
	waiting := p.waiting.Get()
	delete(waiting, gp)
	p.waiting.Set(waiting)
	p.lock.Unlock()
}

func (p *counted) Goready(mp *gmp.M, gp *gmp.G) {
	p.left(gp)
	for gp.Atomicstatus.Load()&gmp.Gscan != 0 {
		machine.Osyield()
	}
	p.s.Ready(mp, gp, true)
}

type lockedQueues struct {
	sliceQueues
	lock machine.Mutex
}

func (p *lockedQueues) Enqueue(q *gmp.Waitq, sg *gmp.Sudog) {
	p.lock.Lock()
	defer p.lock.Unlock()
	p.sliceQueues.Enqueue(q, sg)
}

func (p *lockedQueues) Dequeue(q *gmp.Waitq) *gmp.Sudog {
	p.lock.Lock()
	defer p.lock.Unlock()
	return p.sliceQueues.Dequeue(q)
}

func (p *lockedQueues) DequeueSudoG(q *gmp.Waitq, sg *gmp.Sudog) {
	p.lock.Lock()
	defer p.lock.Unlock()
	p.sliceQueues.DequeueSudoG(q, sg)
}
