package ch04

import (
	"cmp"
	"slices"

	"gosched/chapters/gmp"
)

// selects are select statements. While one looks, or takes itself off the queues,
// it holds the locks of all its channels. All of them take the locks in the same
// order, so two selects never wait for each other.
type selects struct {
	s *gmp.Sched
}

// NewSelect makes the Select of s.
func NewSelect(s *gmp.Sched) gmp.Select { return &selects{s: s} }

// Selectgo does one of cases, or waits on all of them.
//
//course:exercise
func (p *selects) Selectgo(mp *gmp.M, gp *gmp.G, cases []gmp.Scase, block bool) (chosen int, received bool) {
	//course:holds From the first look at a case until gp waits nothing changes on any of the channels; and two selects never wait for each other's locks.
	//course:question When the park has released the first of the locks, gp may be woken and run on another M. What in gp and its sudogs may the unlockf still read then?
	//course:lead Go over the cases three times: to lock, to look, to wait. In which order each time, and what must be done before the next pass begins?
	//course:step Two orders of the cases: a random one for looking at them, and that of their channels' addresses for locking. A nil channel is in neither, since its case can never go on.
	s := p.s
	var pollbuf, lockbuf [fewCases]int
	poll := pollorder(pollbuf[:0], mp, cases)
	locks := lockorder(lockbuf[:0], cases, poll)
	//course:step Lock all channels, each once. From here on nothing changes.
	sellock(cases, locks)
	//course:step Do the first case that can go on, and unlock all. A send on a closed channel can go on, too: it panics.
	for _, i := range poll {
		c := &cases[i]
		switch {
		case c.Send && c.C.Closed.Get():
			selunlock(cases, locks, nil)
			s.PanicPlain(mp, gp, "send on closed channel")
			return -1, false
		case c.Send:
			if p.trySend(mp, cases, locks, c) {
				return i, false
			}
		default:
			if done, received := p.tryRecv(mp, cases, locks, c); done {
				return i, received
			}
		}
	}
	//course:step None can. If there is a default, that is the answer.
	if !block {
		selunlock(cases, locks, nil)
		return -1, false
	}
	//course:step Wait for all: a sudog for each case is on the queue of its channel, and on gp.Waiting, in the order of the locks.
	link := &gp.Waiting
	for _, i := range locks {
		c := &cases[i]
		sg := s.AcquireSudog(mp)
		sg.G.Set(gp)
		sg.C.Set(c.C)
		sg.Elem.Set(c.Elem)
		sg.IsSelect.Set(true)
		sg.Case.Set(i)
		link.Set(sg)
		link = &sg.Waitlink
		s.Enqueue(waiters(c), sg)
	}
	//course:step Say what is left to do, and park. The unlockf unlocks all, by gp.Waiting: it reads the next sudog before it unlocks the channel of this one, which may be reused from then on.
	gp.Selects.Set(cases)
	gp.Cont.Set((*gmp.Sched).SelectgoDone)
	reason := gmp.WaitReasonSelect
	if len(cases) == 0 {
		reason = gmp.WaitReasonSelectNoCases
	}
	s.Gopark(mp, gp, selparkcommit, nil, reason)
	return -1, false
}

// SelectgoDone is what a G still has to do when one of its cases was done for
// it.
//
//course:exercise
func (p *selects) SelectgoDone(mp *gmp.M, gp *gmp.G) {
	//course:holds One case is done and no other. When the channels are free again no queue has a sudog of this select, and the next select of gp can be won.
	//course:question Other operations come to the channels of the losers, until those are locked and afterwards. What do they find there, and what keeps them from taking it?
	//course:lead What must still be as it was while gp slept when the first lock is taken, and what must have changed when the last one is released?
	//course:step Lock all channels again. Until now the losers were still on their queues, and others found them there.
	s := p.s
	cases, first, winner := gp.Selects.Get(), gp.Waiting.Get(), gp.Param.Get()
	relock(first)
	//course:step The next select of this G begins without a winner. No M can be at SelectDone now, since any M that finds one of our sudogs holds one of our locks.
	gp.SelectDone.Store(0)
	gp.Waiting.Set(nil)
	gp.Selects.Set(nil)
	gp.Param.Set(nil)
	//course:step Take the losers off their queues. The M that woke the G has already taken the winner off.
	for sg := first; sg != nil; sg = sg.Waitlink.Get() {
		if sg != winner {
			s.DequeueSudoG(waiters(&cases[sg.Case.Get()]), sg)
		}
	}
	//course:step Unlock all.
	unlockAll(first)
	//course:step What does the winner say? Look before it is released; then release all of them, blank.
	chosen, success := winner.Case.Get(), winner.Success.Get()
	for sg := first; sg != nil; {
		next := sg.Waitlink.Get()
		sg.Elem.Set(0)
		sg.C.Set(nil)
		sg.IsSelect.Set(false)
		sg.Waitlink.Set(nil)
		s.ReleaseSudog(mp, sg)
		sg = next
	}
	//course:step A sender without success was woken by a close. Otherwise store the results.
	if cases[chosen].Send && !success {
		s.PanicPlain(mp, gp, "send on closed channel")
		return
	}
	s.SetSelected(gp, chosen, success)
}

// trySend sends the value of case c, if that needs no waiting, and unlocks all.
//
//course:omit
func (p *selects) trySend(mp *gmp.M, cases []gmp.Scase, locks []int, c *gmp.Scase) bool {
	s, ch := p.s, c.C
	if sg := s.Dequeue(&ch.Recvq); sg != nil {
		selunlock(cases, locks, ch) // Send unlocks ch
		s.Send(mp, ch, sg, c.Elem)
		return true
	}
	if ch.Qcount.Get() == ch.Dataqsiz {
		return false
	}
	s.Typedmemmove(ch.Elem, ch.Chanbuf(ch.Sendx.Get()), c.Elem)
	ch.Sendx.Set((ch.Sendx.Get() + 1) % ch.Dataqsiz)
	ch.Qcount.Set(ch.Qcount.Get() + 1)
	selunlock(cases, locks, nil)
	return true
}

// tryRecv receives for case c, if that needs no waiting, and unlocks all.
//
//course:omit
func (p *selects) tryRecv(mp *gmp.M, cases []gmp.Scase, locks []int, c *gmp.Scase) (done, received bool) {
	s, ch := p.s, c.C
	if sg := s.Dequeue(&ch.Sendq); sg != nil {
		selunlock(cases, locks, ch) // Recv unlocks ch
		s.Recv(mp, ch, sg, c.Elem)
		return true, true
	}
	switch {
	case ch.Qcount.Get() > 0:
		if c.Elem != 0 {
			s.Typedmemmove(ch.Elem, c.Elem, ch.Chanbuf(ch.Recvx.Get()))
		}
		ch.Recvx.Set((ch.Recvx.Get() + 1) % ch.Dataqsiz)
		ch.Qcount.Set(ch.Qcount.Get() - 1)
		received = true
	case !ch.Closed.Get():
		return false, false
	case c.Elem != 0:
		s.Typedmemclr(ch.Elem, c.Elem)
	}
	selunlock(cases, locks, nil)
	return true, received
}

// waiters is the queue on which a G waits for case c. It is given.
func waiters(c *gmp.Scase) *gmp.Waitq {
	if c.Send {
		return &c.C.Sendq
	}
	return &c.C.Recvq
}

// fewCases is the number of cases up to which the two orders of a select need no
// memory of their own.
//
//course:omit
const fewCases = 8

// pollorder appends to order the cases that have a channel, in random order: each
// order is as likely as any other. order is empty.
//
//course:omit
func pollorder(order []int, mp *gmp.M, cases []gmp.Scase) []int {
	for i := range cases {
		if cases[i].C == nil {
			continue
		}
		// Insert it at one of the places that there are by now.
		j := int(mp.Cheaprand() % uint32(len(order)+1))
		order = append(order, i)
		order[len(order)-1], order[j] = order[j], i
	}
	return order
}

// lockorder appends the same cases in the order of their channels' addresses. Cases
// with the same channel are neighbours. order is empty.
//
//course:omit
func lockorder(order []int, cases []gmp.Scase, poll []int) []int {
	order = append(order, poll...)
	slices.SortFunc(order, func(i, j int) int {
		return cmp.Compare(cases[i].C.Addr, cases[j].C.Addr)
	})
	return order
}

// sellock locks all channels, each once.
//
//course:omit
func sellock(cases []gmp.Scase, locks []int) {
	var last *gmp.Hchan
	for _, i := range locks {
		c := cases[i].C
		if c != last {
			c.Lock.Lock()
		}
		last = c
	}
}

// selunlock unlocks all channels except one, except.
//
//course:omit
func selunlock(cases []gmp.Scase, locks []int, except *gmp.Hchan) {
	var last *gmp.Hchan
	for _, i := range locks {
		if c := cases[i].C; c != last {
			last = c
			if c != except {
				c.Lock.Unlock()
			}
		}
	}
}

// relock locks the channels of the sudogs from sg on, which are in the order of
// the locks.
//
//course:omit
func relock(sg *gmp.Sudog) {
	var last *gmp.Hchan
	for ; sg != nil; sg = sg.Waitlink.Get() {
		c := sg.C.Get()
		if c != last {
			c.Lock.Lock()
		}
		last = c
	}
}

// unlockAll unlocks the channels of the sudogs from sg on, which are in the order
// of the locks. When the last one is unlocked, the sudogs may belong to another
// G: each is read while its channel is locked.
//
//course:omit
func unlockAll(sg *gmp.Sudog) {
	var last *gmp.Hchan
	for ; sg != nil; sg = sg.Waitlink.Get() {
		if sg.C.Get() != last {
			if last != nil {
				last.Lock.Unlock()
			}
			last = sg.C.Get()
		}
	}
	if last != nil {
		last.Lock.Unlock()
	}
}

// selparkcommit is the unlockf of a park on several channels. Gopark calls it when
// the G waits.
//
//course:omit
func selparkcommit(gp *gmp.G, lock any) bool {
	unlockAll(gp.Waiting.Get())
	return true
}
