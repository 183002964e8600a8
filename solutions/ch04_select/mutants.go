package ch04

import (
	"cmp"
	"slices"

	"gosched/chapters/check"
	"gosched/chapters/gmp"
	"gosched/chapters/machine"
)

// Mutants are mistakes that one makes in this chapter. Five of the waiters of
// semaphores are open: the student's own test must find them.
var Mutants = []check.Mutant{
	{
		Name: "dequeue-all-win", Check: "one-winner", Hidden: true,
		What:  "Dequeue does not ask whether the select has a winner: two of its cases are done",
		Parts: waitqMutant(func(q waitqs) gmp.Waitqs { return &allWin{q} }),
	},
	{
		Name: "dequeue-gives-up", Check: "one-winner", Hidden: true,
		What:  "Dequeue returns nil when it finds a select that has a winner, though others wait behind it",
		Parts: waitqMutant(func(q waitqs) gmp.Waitqs { return &givesUp{q} }),
	},
	{
		Name: "dequeue-marks-all", Check: "no-select", Hidden: true,
		What:  "Dequeue also checks SelectDone of waiters that are in no select",
		Parts: waitqMutant(func(q waitqs) gmp.Waitqs { return &marksAll{q} }),
	}, {
		Name: "dequeue-looks-then-sets", Check: "winner-race", Hidden: true,
		What:  "Dequeue checks whether SelectDone is 0 and then sets it: between the two another thread may do the same",
		Parts: waitqMutant(func(q waitqs) gmp.Waitqs { return &looksThenSets{q} }),
	},

	{
		Name: "select-fixed-order", Check: "select-fair", Hidden: true,
		What:  "the order in which the cases are looked at is always the same",
		Parts: selectMutant(func(p selects) gmp.Select { return &fixedOrder{p} }),
	}, {
		Name: "select-random-start", Check: "select-fair", Hidden: true,
		What:  "the cases are looked at in their order from a random one on: a case behind one that cannot go on is done more often",
		Parts: selectMutant(func(p selects) gmp.Select { return &randomStart{p} }),
	},
	{
		Name: "select-forgets-received", Check: "select-ready", Hidden: true,
		What:  "a receive that is done at once does not report that a value came",
		Parts: selectMutant(func(p selects) gmp.Select { return &forgetsReceived{p} }),
	},
	{
		Name: "select-waiting-by-case", Check: "select-waits", Hidden: true,
		What:  "gp.Waiting has the sudogs in the order of the cases, not of the locks",
		Parts: selectMutant(func(p selects) gmp.Select { return &waitingByCase{p} }),
	},
	{
		Name: "select-locks-backward", Check: "select-locks", Hidden: true,
		What:  "a woken select locks its channels from the highest address down",
		Parts: selectMutant(func(p selects) gmp.Select { return &locksBackward{p} }),
	},
	{
		Name: "select-nil-no-cases", Check: "select-nil", Hidden: true,
		What:  "a select whose channels are all nil says that it has no cases",
		Parts: selectMutant(func(p selects) gmp.Select { return &nilNoCases{p} }),
	},

	{
		Name: "select-keeps-winner", Check: "select-done", Hidden: true,
		What:  "SelectDone stays set: the next select of this G can never be woken",
		Parts: selectMutant(func(p selects) gmp.Select { return &keepsWinner{p} }),
	},
	{
		Name: "select-keeps-losers", Check: "select-done", Hidden: true,
		What:  "the losing cases stay on their queues",
		Parts: selectMutant(func(p selects) gmp.Select { return &keepsLosers{p} }),
	}, {
		Name: "select-forgets-winner-early", Check: "select-late", Hidden: true,
		What:  "SelectDone is 0 again before the channels are locked: a sender may still find a losing case",
		Parts: selectMutant(func(p selects) gmp.Select { return &forgetsEarly{p} }),
	},
	{
		Name: "select-old-results", Check: "select-moved", Hidden: true,
		What:  "the results go to the places they had when the select began to wait",
		Parts: selectMutant(func(p selects) gmp.Select { return &oldResults{selects: p} }),
	},
	{
		Name: "select-losers-receive", Check: "select-done", Hidden: true,
		What:  "the losers are looked for on the receive queues only, and those that wait to send stay",
		Parts: selectMutant(func(p selects) gmp.Select { return &losersReceive{p} }),
	},
	{
		Name: "select-ignores-receivers", Check: "programs", Hidden: true,
		What:  "a send case looks only for room in the buffer, not for a waiting receiver",
		Parts: selectMutant(func(p selects) gmp.Select { return &ignoresReceivers{p} }),
	},
	{
		Name: "select-always-received", Check: "select-program", Hidden: true,
		What:  "a receive that was woken by a close reports that a value came",
		Parts: selectMutant(func(p selects) gmp.Select { return &alwaysReceived{p} }),
	},

	{
		Name: "select-forgets-default", Check: "select-default", Hidden: true,
		What:  "a select whose channels are all nil waits, though it has a default",
		Parts: selectMutant(func(p selects) gmp.Select { return &forgetsDefault{p} }),
	},
	{
		Name: "select-drops-buffer", Check: "select-buffer", Hidden: true,
		What:  "a receive from a closed channel is a zero value, though there are values in its buffer",
		Parts: selectMutant(func(p selects) gmp.Select { return &dropsBuffer{p} }),
	},
	{
		Name: "select-reads-unlocked", Check: "select-partners", Hidden: true,
		What:  "when a select parks, each channel is unlocked before the next sudog is read, which may belong to another G by then",
		Parts: selectMutant(func(p selects) gmp.Select { return &readsUnlocked{p} }),
	},
	{
		Name: "select-locks-down", Check: "select-locks", Hidden: true,
		What:  "Selectgo locks its channels from the highest address down",
		Parts: selectMutant(func(p selects) gmp.Select { return &locksDown{p} }),
	},
	{
		Name: "select-leaves-unlocked", Check: "select-partners", Hidden: true,
		What:  "a woken select takes the losers off their queues without a lock",
		Parts: selectMutant(func(p selects) gmp.Select { return &leavesUnlocked{p} }),
	},
	{
		Name: "select-close-is-success", Check: "select-closed", Hidden: true,
		What:  "a send that was woken by a close counts as done",
		Parts: selectMutant(func(p selects) gmp.Select { return &closeIsSuccess{p} }),
	},
	{
		Name: "sema-fifo-only", Check: "sema-queue",
		What:  "lifo is ignored",
		Parts: semaMutant(func(p semaphores) gmp.Semaphores { return &fifoOnly{p} }),
	},
	{
		Name: "sema-keeps-ticket", Check: "sema-queue",
		What:  "a dequeued sudog keeps its ticket, which looks like a hand-over",
		Parts: semaMutant(func(p semaphores) gmp.Semaphores { return &keepsTicket{p} }),
	}, {
		Name: "sema-drops-tail", Check: "sema-queue",
		What:  "when the first waiter leaves, the next one does not take over Waittail, and the next to come is hung in front of the others, which are lost",
		Parts: semaMutant(func(p semaphores) gmp.Semaphores { return &dropsTail{p} }),
	},
	{
		Name: "sema-first-of-root", Check: "sema-queue",
		What:  "SemaDequeue takes the waiter at the root of the tree, whatever its address",
		Parts: semaMutant(func(p semaphores) gmp.Semaphores { return &firstOfRoot{p} }),
	},
	{
		Name: "sema-newest-first", Check: "sema-queue",
		What:  "each waiter goes to the head of its list, even without lifo",
		Parts: semaMutant(func(p semaphores) gmp.Semaphores { return &newestFirst{p} }),
	},
	{
		Name: "sema-lifo-keeps-parents", Check: "sema-tree", Hidden: true,
		What:  "a new first waiter takes the place in the tree, and its children still point up to the old one",
		Parts: semaMutant(func(p semaphores) gmp.Semaphores { return &keepsParents{p} }),
	},
	{
		Name: "sema-lifo-new-ticket", Check: "sema-tree", Hidden: true,
		What:  "a new first waiter takes the place in the tree with a ticket of its own",
		Parts: semaMutant(func(p semaphores) gmp.Semaphores { return &newTicket{p} }),
	},

	{
		Name: "sema-ticket-zero", Check: "sema-tree", Hidden: true,
		What:  "the ticket of a new node is what Cheaprand returns, which may be 0",
		Parts: semaMutant(func(p semaphores) gmp.Semaphores { return &ticketZero{p} }),
	},
	{
		Name: "sema-same-tickets", Check: "sema-flat", Hidden: true,
		What:  "all tickets are equal, so nothing is ever rotated",
		Parts: semaMutant(func(p semaphores) gmp.Semaphores { return &sameTickets{p} }),
	},
	{
		Name: "sema-counts-others", Check: "sema-order", Hidden: true,
		What:  "Semrelease1 takes one off Nwait although no G waits for this address",
		Parts: semaMutant(func(p semaphores) gmp.Semaphores { return &countsOthers{p} }),
	},
	{
		Name: "sema-no-recheck", Check: "sema-missed", Hidden: true,
		What:  "Semacquire1 does not look again once it holds the lock",
		Parts: semaMutant(func(p semaphores) gmp.Semaphores { return &noRecheck{p} }),
	}, {
		Name: "sema-counts-late", Check: "sema-missed", Hidden: true,
		What:  "Semacquire1 looks again, and is counted in Nwait only after that",
		Parts: semaMutant(func(p semaphores) gmp.Semaphores { return &semaCountsLate{p} }),
	},
	{
		Name: "sema-looks-first", Check: "sema-missed", Hidden: true,
		What:  "Semrelease1 looks at Nwait before it adds to the count",
		Parts: semaMutant(func(p semaphores) gmp.Semaphores { return &looksFirst{p} }),
	},
	{
		Name: "sema-keeps-counting", Check: "sema-acquire", Hidden: true,
		What:  "a waiter that is woken stays counted in Nwait",
		Parts: semaMutant(func(p semaphores) gmp.Semaphores { return &keepsCounting{p} }),
	},
	{
		Name: "sema-one-reason", Check: "asleep", Hidden: true,
		What:  "Semacquire1 says \"semacquire\" for every G that waits",
		Parts: semaMutant(func(p semaphores) gmp.Semaphores { return &oneReason{p} }),
	},

	{
		Name: "sema-always-last", Check: "sema-barging", Hidden: true,
		What:  "a woken waiter that finds nothing waits again behind all others, though it asked with lifo",
		Parts: semaMutant(func(p semaphores) gmp.Semaphores { return &alwaysLast{p} }),
	},
	{
		Name: "sema-ticket-late", Check: "sema-quicker", Hidden: true,
		What:  "Semrelease1 writes the Ticket when the waiter is already ready: the waiter may have looked at it, and released its sudog",
		Parts: semaMutant(func(p semaphores) gmp.Semaphores { return &ticketLate{p} }),
	},
	{
		Name: "sema-param-late", Check: "sema-two", Hidden: true,
		What:  "Semrelease1 sets the Param of the waiter when that is already ready",
		Parts: semaMutant(func(p semaphores) gmp.Semaphores { return &paramLate{p} }),
	},
	{
		Name: "sema-takes-for-nobody", Check: "sema-order", Hidden: true,
		What:  "Semrelease1 takes the unit to hand over before it knows that there is a waiter for this address",
		Parts: semaMutant(func(p semaphores) gmp.Semaphores { return &takesForNobody{p} }),
	},
	{
		Name: "sema-woken-has-it", Check: "sema-barging", Hidden: true,
		What:  "a woken waiter goes on without taking one",
		Parts: semaMutant(func(p semaphores) gmp.Semaphores { return &wokenHasIt{p} }),
	},
	{
		Name: "sema-no-handoff", Check: "sema-handoff", Hidden: true,
		What:  "handoff is ignored: whichever G runs next may take the count",
		Parts: semaMutant(func(p semaphores) gmp.Semaphores { return &noHandoff{p} }),
	}, {
		Name: "sema-ignores-ticket", Check: "starving", Hidden: true,
		What:  "a waiter that was handed the count does not look at its ticket, and tries to take another one",
		Parts: semaMutant(func(p semaphores) gmp.Semaphores { return &ignoresTicket{p} }),
	},

	{
		Name: "notify-head", Check: "notify-one", Hidden: true,
		What:  "NotifyListNotifyOne wakes the first of the list, whatever ticket it has",
		Parts: notifyMutant(func(p notifyLists) gmp.NotifyLists { return &notifiesHead{p} }),
	},
	{
		Name: "notify-unsigned", Check: "notify-one", Hidden: true,
		What:  "tickets are compared as numbers, which is wrong once they have wrapped around",
		Parts: notifyMutant(func(p notifyLists) gmp.NotifyLists { return &unsigned{p} }),
	},
	{
		Name: "notify-those-who-wait", Check: "notify-all", Hidden: true,
		What:  "NotifyListNotifyAll forgets those that have a ticket but do not wait yet",
		Parts: notifyMutant(func(p notifyLists) gmp.NotifyLists { return &thoseWhoWait{p} }),
	}, {
		Name: "notify-looks-unlocked", Check: "notify-missed", Hidden: true,
		What:  "NotifyListWait checks whether it was notified before it has the lock, and not again",
		Parts: notifyMutant(func(p notifyLists) gmp.NotifyLists { return &notifyLooksUnlocked{p} }),
	},
	{
		Name: "notify-add-in-two", Check: "notify-tickets", Hidden: true,
		What:  "NotifyListAdd loads Wait and then stores one more: two Gs may take the same ticket",
		Parts: notifyMutant(func(p notifyLists) gmp.NotifyLists { return &addsInTwo{p} }),
	},
	{
		Name: "notify-one-looks-early", Check: "notify-twice", Hidden: true,
		What:  "NotifyListNotifyOne reads Notify before it has the lock, and notifies that ticket: another M may have done so meanwhile",
		Parts: notifyMutant(func(p notifyLists) gmp.NotifyLists { return &oneLooksEarly{p} }),
	},
	{
		Name: "notify-all-looks-early", Check: "notify-tickets", Hidden: true,
		What:  "NotifyListNotifyAll reads Wait before it has the lock, and also wakes those whose tickets were taken since",
		Parts: notifyMutant(func(p notifyLists) gmp.NotifyLists { return &allLooksEarly{p} }),
	},
	{
		Name: "notify-param-late", Check: "notify-missed", Hidden: true,
		What:  "the Param of the waiter is set when that is already ready",
		Parts: notifyMutant(func(p notifyLists) gmp.NotifyLists { return &notifiesLate{p} }),
	},
	{
		Name: "notify-all-is-one", Check: "sync-program", Hidden: true,
		What:  "NotifyListNotifyAll wakes just one",
		Parts: notifyMutant(func(p notifyLists) gmp.NotifyLists { return &allIsOne{p} }),
	},
}

func waitqMutant(broken func(waitqs) gmp.Waitqs) gmp.Version {
	return gmp.Version{Waitqs: func(s *gmp.Sched) gmp.Waitqs { return broken(waitqs{s: s}) }}
}

func selectMutant(broken func(selects) gmp.Select) gmp.Version {
	return gmp.Version{Select: func(s *gmp.Sched) gmp.Select { return broken(selects{s: s}) }}
}

func semaMutant(broken func(semaphores) gmp.Semaphores) gmp.Version {
	return gmp.Version{Semaphores: func(s *gmp.Sched) gmp.Semaphores { return broken(semaphores{s: s}) }}
}

func notifyMutant(broken func(notifyLists) gmp.NotifyLists) gmp.Version {
	return gmp.Version{NotifyLists: func(s *gmp.Sched) gmp.NotifyLists { return broken(notifyLists{s: s}) }}
}

type allWin struct{ waitqs }

func (p *allWin) Dequeue(q *gmp.Waitq) *gmp.Sudog {
	sg := q.First.Get()
	if sg != nil {
		p.DequeueSudoG(q, sg)
		if sg.IsSelect.Get() {
			sg.G.Get().SelectDone.Store(1)
		}
	}
	return sg
}

type givesUp struct{ waitqs }

func (p *givesUp) Dequeue(q *gmp.Waitq) *gmp.Sudog {
	sg := q.First.Get()
	if sg == nil {
		return nil
	}
	p.DequeueSudoG(q, sg)
	if sg.IsSelect.Get() && !sg.G.Get().SelectDone.CompareAndSwap(0, 1) {
		return nil
	}
	return sg
}

type marksAll struct{ waitqs }

func (p *marksAll) Dequeue(q *gmp.Waitq) *gmp.Sudog {
	for sg := q.First.Get(); sg != nil; sg = q.First.Get() {
		p.DequeueSudoG(q, sg)
		if sg.G.Get().SelectDone.CompareAndSwap(0, 1) {
			return sg
		}
	}
	return nil
}

type fixedOrder struct{ selects }

func (p *fixedOrder) Selectgo(mp *gmp.M, gp *gmp.G, cases []gmp.Scase, block bool) (int, bool) {
	mp.Fastrand.Set(1)
	return p.selects.Selectgo(mp, gp, cases, block)
}

type keepsWinner struct{ selects }

func (p *keepsWinner) SelectgoDone(mp *gmp.M, gp *gmp.G) {
	p.selects.SelectgoDone(mp, gp)
	gp.SelectDone.Store(1)
}

type keepsLosers struct{ selects }

func (p *keepsLosers) SelectgoDone(mp *gmp.M, gp *gmp.G) {
	cases, winner := gp.Selects.Get(), gp.Param.Get()
	p.selects.SelectgoDone(mp, gp)
	for i := range cases {
		if c := &cases[i]; c.C != nil && i != winner.Case.Get() {
			c.C.Lock.Lock()
			p.s.Enqueue(waiters(c), &gmp.Sudog{G: machine.CellOf(gp), C: machine.CellOf(c.C), IsSelect: machine.CellOf[bool](true), Case: machine.CellOf(i)})
			c.C.Lock.Unlock()
		}
	}
}

type forgetsDefault struct{ selects }

func (p *forgetsDefault) Selectgo(mp *gmp.M, gp *gmp.G, cases []gmp.Scase, block bool) (int, bool) {
	return p.selects.Selectgo(mp, gp, cases, block || len(pollorder(nil, mp, cases)) == 0)
}

type closeIsSuccess struct{ selects }

func (p *closeIsSuccess) SelectgoDone(mp *gmp.M, gp *gmp.G) {
	if gp.Selects.Get()[gp.Param.Get().Case.Get()].Send {
		gp.Param.Get().Success.Set(true)
	}
	p.selects.SelectgoDone(mp, gp)
}

type fifoOnly struct{ semaphores }

func (p *fifoOnly) SemaQueue(mp *gmp.M, root *gmp.SemaRoot, addr machine.Addr, sg *gmp.Sudog, lifo bool) {
	p.semaphores.SemaQueue(mp, root, addr, sg, false)
}

type keepsTicket struct{ semaphores }

func (p *keepsTicket) SemaDequeue(mp *gmp.M, root *gmp.SemaRoot, addr machine.Addr) *gmp.Sudog {
	ticket := uint32(0)
	if root.Treap.Get() != nil {
		ticket = root.Treap.Get().Ticket.Get()
	}
	sg := p.semaphores.SemaDequeue(mp, root, addr)
	if sg != nil {
		sg.Ticket.Set(ticket)
	}
	return sg
}

type sameTickets struct{ semaphores }

func (p *sameTickets) SemaQueue(mp *gmp.M, root *gmp.SemaRoot, addr machine.Addr, sg *gmp.Sudog, lifo bool) {
	mp.Fastrand.Set(1)
	p.semaphores.SemaQueue(mp, root, addr, sg, lifo)
}

type countsOthers struct{ semaphores }

func (p *countsOthers) Semrelease1(mp *gmp.M, gp *gmp.G, addr machine.Addr, handoff bool) {
	root := p.s.Semroot(addr)
	before := root.Nwait.Load()
	p.semaphores.Semrelease1(mp, gp, addr, handoff)
	if before != 0 && root.Nwait.Load() == before {
		root.Nwait.Add(^uint32(0))
	}
}

type noRecheck struct{ semaphores }

func (p *noRecheck) Semacquire1(mp *gmp.M, gp *gmp.G, addr machine.Addr, lifo bool, reason gmp.WaitReason) {
	s := p.s
	if s.Cansemacquire(addr) {
		return
	}
	root := s.Semroot(addr)
	root.Lock.Lock()
	root.Nwait.Add(1)
	sleepAt(s, mp, gp, root, addr, lifo, reason)
}

type wokenHasIt struct{ semaphores }

func (p *wokenHasIt) SemacquireDone(mp *gmp.M, gp *gmp.G) {
	gp.Param.Get().Ticket.Set(1)
	p.semaphores.SemacquireDone(mp, gp)
}

type noHandoff struct{ semaphores }

func (p *noHandoff) Semrelease1(mp *gmp.M, gp *gmp.G, addr machine.Addr, handoff bool) {
	p.semaphores.Semrelease1(mp, gp, addr, false)
}

type notifiesHead struct{ notifyLists }

func (p *notifiesHead) NotifyListNotifyOne(mp *gmp.M, l *gmp.NotifyList) {
	l.Lock.Lock()
	sg := l.Head.Get()
	if l.Notify.Load() == l.Wait.Load() {
		l.Lock.Unlock()
		return
	}
	l.Notify.Add(1)
	if sg != nil {
		if l.Head.Set(sg.Next.Get()); l.Head.Get() == nil {
			l.Tail.Set(nil)
		}
	}
	l.Lock.Unlock()
	if sg != nil {
		p.wake(mp, sg)
	}
}

type unsigned struct{ notifyLists }

func (p *unsigned) NotifyListWait(mp *gmp.M, gp *gmp.G, l *gmp.NotifyList, t uint32) {
	if t < l.Notify.Load() {
		return
	}
	p.notifyLists.NotifyListWait(mp, gp, l, t)
}

type thoseWhoWait struct{ notifyLists }

func (p *thoseWhoWait) NotifyListNotifyAll(mp *gmp.M, l *gmp.NotifyList) {
	t := l.Notify.Load()
	for sg := l.Head.Get(); sg != nil; sg = sg.Next.Get() {
		t++
	}
	p.notifyLists.NotifyListNotifyAll(mp, l)
	l.Notify.Store(t)
}

type looksThenSets struct{ waitqs }

func (p *looksThenSets) Dequeue(q *gmp.Waitq) *gmp.Sudog {
	for sg := q.First.Get(); sg != nil; sg = q.First.Get() {
		p.DequeueSudoG(q, sg)
		if !sg.IsSelect.Get() {
			return sg
		}
		if sg.G.Get().SelectDone.Load() == 0 {
			sg.G.Get().SelectDone.Store(1)
			return sg
		}
	}
	return nil
}

type randomStart struct{ selects }

func (p *randomStart) Selectgo(mp *gmp.M, gp *gmp.G, cases []gmp.Scase, block bool) (int, bool) {
	if n := len(cases); n > 0 {
		start := int(mp.Cheaprand() % uint32(n))
		for i := range cases {
			at := (start + i) % n
			if chosen, received := p.selects.Selectgo(mp, gp, cases[at:at+1:at+1], false); chosen == 0 {
				return at, received
			}
		}
	}
	return p.selects.Selectgo(mp, gp, cases, block)
}

type forgetsReceived struct{ selects }

func (p *forgetsReceived) Selectgo(mp *gmp.M, gp *gmp.G, cases []gmp.Scase, block bool) (int, bool) {
	chosen, _ := p.selects.Selectgo(mp, gp, cases, block)
	return chosen, false
}

type waitingByCase struct{ selects }

func (p *waitingByCase) Selectgo(mp *gmp.M, gp *gmp.G, cases []gmp.Scase, block bool) (int, bool) {
	chosen, received := p.selects.Selectgo(mp, gp, cases, block)
	rechain(gp, func(a, b *gmp.Sudog) int { return a.Case.Get() - b.Case.Get() })
	return chosen, received
}

// rechain puts gp.Waiting in another order.
func rechain(gp *gmp.G, compare func(a, b *gmp.Sudog) int) {
	var list []*gmp.Sudog
	for sg := gp.Waiting.Get(); sg != nil; sg = sg.Waitlink.Get() {
		list = append(list, sg)
	}
	slices.SortStableFunc(list, compare)
	link := &gp.Waiting
	for _, sg := range list {
		link.Set(sg)
		link = &sg.Waitlink
	}
	link.Set(nil)
}

type locksBackward struct{ selects }

func (p *locksBackward) SelectgoDone(mp *gmp.M, gp *gmp.G) {
	rechain(gp, func(a, b *gmp.Sudog) int { return cmp.Compare(b.C.Get().Addr, a.C.Get().Addr) })
	p.selects.SelectgoDone(mp, gp)
}

type nilNoCases struct{ selects }

func (p *nilNoCases) Selectgo(mp *gmp.M, gp *gmp.G, cases []gmp.Scase, block bool) (int, bool) {
	if block && !slices.ContainsFunc(cases, func(c gmp.Scase) bool { return c.C != nil }) {
		cases = nil
	}
	return p.selects.Selectgo(mp, gp, cases, block)
}

type forgetsEarly struct{ selects }

func (p *forgetsEarly) SelectgoDone(mp *gmp.M, gp *gmp.G) {
	gp.SelectDone.Store(0)
	p.selects.SelectgoDone(mp, gp)
}

type oldResults struct {
	selects
	args machine.Addr
}

func (p *oldResults) Selectgo(mp *gmp.M, gp *gmp.G, cases []gmp.Scase, block bool) (int, bool) {
	p.args = gp.Sched.Args
	return p.selects.Selectgo(mp, gp, cases, block)
}

func (p *oldResults) SelectgoDone(mp *gmp.M, gp *gmp.G) {
	args := gp.Sched.Args
	gp.Sched.Args = p.args
	p.selects.SelectgoDone(mp, gp)
	gp.Sched.Args = args
}

type losersReceive struct{ selects }

func (p *losersReceive) SelectgoDone(mp *gmp.M, gp *gmp.G) {
	for i := range gp.Selects.Get() {
		if i != gp.Param.Get().Case.Get() {
			gp.Selects.Get()[i].Send = false
		}
	}
	p.selects.SelectgoDone(mp, gp)
}

type ignoresReceivers struct{ selects }

func (p *ignoresReceivers) Selectgo(mp *gmp.M, gp *gmp.G, cases []gmp.Scase, block bool) (int, bool) {
	type ends struct{ first, last *gmp.Sudog }
	hidden := map[*gmp.Hchan]ends{}
	for _, c := range cases {
		if c.C != nil && c.Send && c.C.Recvq.First.Get() != nil {
			q := &c.C.Recvq
			hidden[c.C] = ends{q.First.Get(), q.Last.Get()}
			q.First.Set(nil)
			q.Last.Set(nil)
		}
	}
	chosen, received := p.selects.Selectgo(mp, gp, cases, block)
	for c, q := range hidden {
		if c.Recvq.First.Get() == nil {
			c.Recvq.First.Set(q.first)
			c.Recvq.Last.Set(q.last)
		}
	}
	return chosen, received
}

type alwaysReceived struct{ selects }

func (p *alwaysReceived) SelectgoDone(mp *gmp.M, gp *gmp.G) {
	if !gp.Selects.Get()[gp.Param.Get().Case.Get()].Send {
		gp.Param.Get().Success.Set(true)
	}
	p.selects.SelectgoDone(mp, gp)
}

// node finds the node of addr in the tree.
func node(root *gmp.SemaRoot, addr machine.Addr) *gmp.Sudog {
	sg := root.Treap.Get()
	for sg != nil && sg.Elem.Get() != addr {
		if addr < sg.Elem.Get() {
			sg = sg.Prev.Get()
		} else {
			sg = sg.Next.Get()
		}
	}
	return sg
}

type dropsTail struct{ semaphores }

func (p *dropsTail) SemaDequeue(mp *gmp.M, root *gmp.SemaRoot, addr machine.Addr) *gmp.Sudog {
	sg := p.semaphores.SemaDequeue(mp, root, addr)
	if next := node(root, addr); next != nil {
		next.Waittail.Set(nil)
	}
	return sg
}

type firstOfRoot struct{ semaphores }

func (p *firstOfRoot) SemaDequeue(mp *gmp.M, root *gmp.SemaRoot, addr machine.Addr) *gmp.Sudog {
	if root.Treap.Get() == nil {
		return nil
	}
	return p.semaphores.SemaDequeue(mp, root, root.Treap.Get().Elem.Get())
}

type newestFirst struct{ semaphores }

func (p *newestFirst) SemaQueue(mp *gmp.M, root *gmp.SemaRoot, addr machine.Addr, sg *gmp.Sudog, lifo bool) {
	p.semaphores.SemaQueue(mp, root, addr, sg, true)
}

type keepsParents struct{ semaphores }

func (p *keepsParents) SemaQueue(mp *gmp.M, root *gmp.SemaRoot, addr machine.Addr, sg *gmp.Sudog, lifo bool) {
	was := node(root, addr)
	p.semaphores.SemaQueue(mp, root, addr, sg, lifo)
	if was != nil && lifo && sg.Prev.Get() != nil {
		sg.Prev.Get().Parent.Set(was)
	}
}

type newTicket struct{ semaphores }

func (p *newTicket) SemaQueue(mp *gmp.M, root *gmp.SemaRoot, addr machine.Addr, sg *gmp.Sudog, lifo bool) {
	was := node(root, addr)
	p.semaphores.SemaQueue(mp, root, addr, sg, lifo)
	if was != nil && lifo {
		sg.Ticket.Set(mp.Cheaprand() | 1)
	}
}

type semaCountsLate struct{ semaphores }

func (p *semaCountsLate) Semacquire1(mp *gmp.M, gp *gmp.G, addr machine.Addr, lifo bool, reason gmp.WaitReason) {
	if p.s.Cansemacquire(addr) {
		return
	}
	root := p.s.Semroot(addr)
	root.Lock.Lock()
	if p.s.Cansemacquire(addr) {
		root.Lock.Unlock()
		return
	}
	root.Nwait.Add(1)
	sleepAt(p.s, mp, gp, root, addr, lifo, reason)
}

// sleepAt queues gp at root, which is locked, and parks it; then root is unlocked.
func sleepAt(s *gmp.Sched, mp *gmp.M, gp *gmp.G, root *gmp.SemaRoot, addr machine.Addr, lifo bool, reason gmp.WaitReason) {
	sg := s.AcquireSudog(mp)
	sg.G.Set(gp)
	s.SemaQueue(mp, root, addr, sg, lifo)
	gp.Cont.Set((*gmp.Sched).SemacquireDone)
	s.Gopark(mp, gp, parkunlock, &root.Lock, reason)
}

type looksFirst struct{ semaphores }

func (p *looksFirst) Semrelease1(mp *gmp.M, gp *gmp.G, addr machine.Addr, handoff bool) {
	if p.s.Semroot(addr).Nwait.Load() == 0 {
		p.s.Semadd(addr)
		return
	}
	p.semaphores.Semrelease1(mp, gp, addr, handoff)
}

type keepsCounting struct{ semaphores }

func (p *keepsCounting) Semrelease1(mp *gmp.M, gp *gmp.G, addr machine.Addr, handoff bool) {
	root := p.s.Semroot(addr)
	before := root.Nwait.Load()
	p.semaphores.Semrelease1(mp, gp, addr, handoff)
	if before != root.Nwait.Load() {
		root.Nwait.Add(1)
	}
}

type oneReason struct{ semaphores }

func (p *oneReason) Semacquire1(mp *gmp.M, gp *gmp.G, addr machine.Addr, lifo bool, reason gmp.WaitReason) {
	p.semaphores.Semacquire1(mp, gp, addr, lifo, gmp.WaitReasonSemacquire)
}

type ignoresTicket struct{ semaphores }

func (p *ignoresTicket) SemacquireDone(mp *gmp.M, gp *gmp.G) {
	gp.Param.Get().Ticket.Set(0)
	p.semaphores.SemacquireDone(mp, gp)
}

type notifyLooksUnlocked struct{ notifyLists }

func (p *notifyLooksUnlocked) NotifyListWait(mp *gmp.M, gp *gmp.G, l *gmp.NotifyList, t uint32) {
	if before(t, l.Notify.Load()) {
		return
	}
	l.Lock.Lock()
	sleepOn(p.s, mp, gp, l, t)
}

// sleepOn puts gp on list l, which is locked, with its ticket, and parks it; then l is
// unlocked.
func sleepOn(s *gmp.Sched, mp *gmp.M, gp *gmp.G, l *gmp.NotifyList, t uint32) {
	sg := s.AcquireSudog(mp)
	sg.G.Set(gp)
	sg.Ticket.Set(t)
	if l.Head.Get() == nil {
		l.Head.Set(sg)
	} else {
		l.Tail.Get().Next.Set(sg)
	}
	l.Tail.Set(sg)
	gp.Cont.Set((*gmp.Sched).NotifyListWaitDone)
	s.Gopark(mp, gp, parkunlock, &l.Lock, gmp.WaitReasonSyncCondWait)
}

type allIsOne struct{ notifyLists }

func (p *allIsOne) NotifyListNotifyAll(mp *gmp.M, l *gmp.NotifyList) { p.NotifyListNotifyOne(mp, l) }

type dropsBuffer struct{ selects }

func (p *dropsBuffer) Selectgo(mp *gmp.M, gp *gmp.G, cases []gmp.Scase, block bool) (int, bool) {
	for i := range cases {
		if c := &cases[i]; c.C != nil && !c.Send {
			c.C.Lock.Lock()
			if c.C.Closed.Get() {
				c.C.Qcount.Set(0)
			}
			c.C.Lock.Unlock()
		}
	}
	return p.selects.Selectgo(mp, gp, cases, block)
}

// selectgo is Selectgo with an order of the locks and an unlockf of its own.
func (p *selects) selectgo(mp *gmp.M, gp *gmp.G, cases []gmp.Scase, block bool, locks []int, unlockf func(gp *gmp.G, lock any) bool) (int, bool) {
	s := p.s
	sellock(cases, locks)
	for _, i := range pollorder(nil, mp, cases) {
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
	if !block {
		selunlock(cases, locks, nil)
		return -1, false
	}
	link := &gp.Waiting
	for _, i := range locks {
		sg := s.AcquireSudog(mp)
		sg.G.Set(gp)
		sg.C.Set(cases[i].C)
		sg.Elem.Set(cases[i].Elem)
		sg.IsSelect.Set(true)
		sg.Case.Set(i)
		link.Set(sg)
		link = &sg.Waitlink
		s.Enqueue(waiters(&cases[i]), sg)
	}
	gp.Selects.Set(cases)
	gp.Cont.Set((*gmp.Sched).SelectgoDone)
	s.Gopark(mp, gp, unlockf, nil, gmp.WaitReasonSelect)
	return -1, false
}

type readsUnlocked struct{ selects }

func (p *readsUnlocked) Selectgo(mp *gmp.M, gp *gmp.G, cases []gmp.Scase, block bool) (int, bool) {
	locks := lockorder(nil, cases, pollorder(nil, mp, cases))
	return p.selectgo(mp, gp, cases, block, locks, func(gp *gmp.G, lock any) bool {
		var last *gmp.Hchan
		for sg := gp.Waiting.Get(); sg != nil; sg = sg.Waitlink.Get() {
			if c := sg.C.Get(); c != last {
				last = c
				c.Lock.Unlock()
			}
		}
		return true
	})
}

type locksDown struct{ selects }

func (p *locksDown) Selectgo(mp *gmp.M, gp *gmp.G, cases []gmp.Scase, block bool) (int, bool) {
	locks := lockorder(nil, cases, pollorder(nil, mp, cases))
	slices.Reverse(locks)
	return p.selectgo(mp, gp, cases, block, locks, selparkcommit)
}

type leavesUnlocked struct{ selects }

func (p *leavesUnlocked) SelectgoDone(mp *gmp.M, gp *gmp.G) {
	cases, winner := gp.Selects.Get(), gp.Param.Get()
	for sg := gp.Waiting.Get(); sg != nil; sg = sg.Waitlink.Get() {
		if sg != winner {
			p.s.DequeueSudoG(waiters(&cases[sg.Case.Get()]), sg)
		}
	}
	p.selects.SelectgoDone(mp, gp)
}

type ticketZero struct{ semaphores }

func (p *ticketZero) SemaQueue(mp *gmp.M, root *gmp.SemaRoot, addr machine.Addr, sg *gmp.Sudog, lifo bool) {
	state := mp.Fastrand.Get()
	zero := mp.Cheaprand() == 0
	mp.Fastrand.Set(state)
	leaf := node(root, addr) == nil
	p.semaphores.SemaQueue(mp, root, addr, sg, lifo)
	if zero && leaf {
		sg.Ticket.Set(0)
	}
}

type alwaysLast struct{ semaphores }

func (p *alwaysLast) SemacquireDone(mp *gmp.M, gp *gmp.G) {
	p.s.Machine.SetWord(gp.Sched.Args+8, 0) // what it asked for: lifo
	p.semaphores.SemacquireDone(mp, gp)
}

// woken is Semrelease1 up to the waiter that it takes, nil for none.
func (p *semaphores) woken(mp *gmp.M, addr machine.Addr) *gmp.Sudog {
	root := p.s.Semroot(addr)
	p.s.Semadd(addr)
	if root.Nwait.Load() == 0 {
		return nil
	}
	root.Lock.Lock()
	sg := p.s.SemaDequeue(mp, root, addr)
	if sg != nil {
		root.Nwait.Add(^uint32(0))
	}
	root.Lock.Unlock()
	return sg
}

type ticketLate struct{ semaphores }

func (p *ticketLate) Semrelease1(mp *gmp.M, gp *gmp.G, addr machine.Addr, handoff bool) {
	if sg := p.woken(mp, addr); sg != nil {
		handed := handoff && p.s.Cansemacquire(addr)
		waiter := sg.G.Get()
		waiter.Param.Set(sg)
		p.s.Goready(mp, waiter)
		if handed {
			sg.Ticket.Set(1)
			p.s.GoschedImpl(mp, gp, false)
		}
	}
}

type paramLate struct{ semaphores }

func (p *paramLate) Semrelease1(mp *gmp.M, gp *gmp.G, addr machine.Addr, handoff bool) {
	if sg := p.woken(mp, addr); sg != nil {
		handed := handoff && p.s.Cansemacquire(addr)
		if handed {
			sg.Ticket.Set(1)
		}
		waiter := sg.G.Get()
		p.s.Goready(mp, waiter)
		waiter.Param.Set(sg)
		if handed {
			p.s.GoschedImpl(mp, gp, false)
		}
	}
}

type takesForNobody struct{ semaphores }

func (p *takesForNobody) Semrelease1(mp *gmp.M, gp *gmp.G, addr machine.Addr, handoff bool) {
	root := p.s.Semroot(addr)
	p.s.Semadd(addr)
	if root.Nwait.Load() == 0 {
		return
	}
	handed := handoff && p.s.Cansemacquire(addr)
	root.Lock.Lock()
	sg := p.s.SemaDequeue(mp, root, addr)
	if sg != nil {
		root.Nwait.Add(^uint32(0))
	}
	root.Lock.Unlock()
	if sg == nil {
		return
	}
	if handed {
		sg.Ticket.Set(1)
	}
	sg.G.Get().Param.Set(sg)
	p.s.Goready(mp, sg.G.Get())
	if handed {
		p.s.GoschedImpl(mp, gp, false)
	}
}

type addsInTwo struct{ notifyLists }

func (p *addsInTwo) NotifyListAdd(l *gmp.NotifyList) uint32 {
	t := l.Wait.Load()
	l.Wait.Store(t + 1)
	return t
}

type oneLooksEarly struct{ notifyLists }

func (p *oneLooksEarly) NotifyListNotifyOne(mp *gmp.M, l *gmp.NotifyList) {
	t := l.Notify.Load()
	if t == l.Wait.Load() {
		return
	}
	l.Lock.Lock()
	l.Notify.Store(t + 1)
	sg := p.take(l, t)
	l.Lock.Unlock()
	if sg != nil {
		p.wake(mp, sg)
	}
}

// take takes the holder of ticket t out of the list, nil if it is not there.
func (p *notifyLists) take(l *gmp.NotifyList, t uint32) *gmp.Sudog {
	var prev *gmp.Sudog
	for sg := l.Head.Get(); sg != nil; prev, sg = sg, sg.Next.Get() {
		if sg.Ticket.Get() != t {
			continue
		}
		if prev != nil {
			prev.Next.Set(sg.Next.Get())
		} else {
			l.Head.Set(sg.Next.Get())
		}
		if l.Tail.Get() == sg {
			l.Tail.Set(prev)
		}
		return sg
	}
	return nil
}

type allLooksEarly struct{ notifyLists }

func (p *allLooksEarly) NotifyListNotifyAll(mp *gmp.M, l *gmp.NotifyList) {
	wait := l.Wait.Load()
	l.Lock.Lock()
	sg := l.Head.Get()
	l.Head.Set(nil)
	l.Tail.Set(nil)
	l.Notify.Store(wait)
	l.Lock.Unlock()
	for sg != nil {
		next := sg.Next.Get()
		p.wake(mp, sg)
		sg = next
	}
}

type notifiesLate struct{ notifyLists }

func (p *notifiesLate) NotifyListNotifyOne(mp *gmp.M, l *gmp.NotifyList) {
	l.Lock.Lock()
	t := l.Notify.Load()
	if t == l.Wait.Load() {
		l.Lock.Unlock()
		return
	}
	l.Notify.Add(1)
	sg := p.take(l, t)
	l.Lock.Unlock()
	if sg != nil {
		sg.Next.Set(nil)
		gp := sg.G.Get()
		p.s.Goready(mp, gp)
		gp.Param.Set(sg)
	}
}
