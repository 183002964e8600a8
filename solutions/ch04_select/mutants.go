package ch04

import (
	"gosched/chapters/check"
	"gosched/chapters/gmp"
	"gosched/chapters/machine"
)

// Mutants are mistakes that one makes in this chapter.
var Mutants = []check.Mutant{
	{
		Name: "dequeue-all-win", Check: "one-winner",
		What:  "Dequeue does not ask whether the select has a winner: two of its cases are done",
		Parts: waitqMutant(func(q waitqs) gmp.Waitqs { return &allWin{q} }),
	},
	{
		Name: "dequeue-gives-up", Check: "one-winner",
		What:  "Dequeue returns nil when it finds a select that has a winner, though others wait behind it",
		Parts: waitqMutant(func(q waitqs) gmp.Waitqs { return &givesUp{q} }),
	},
	{
		Name: "dequeue-marks-all", Check: "no-select",
		What:  "Dequeue asks SelectDone also of waiters that are in no select",
		Parts: waitqMutant(func(q waitqs) gmp.Waitqs { return &marksAll{q} }),
	},
	{
		Name: "select-fixed-order", Check: "select-fair", Hidden: true,
		What:  "the order in which the cases are looked at is always the same",
		Parts: selectMutant(func(p selects) gmp.Select { return &fixedOrder{p} }),
	},
	{
		Name: "select-keeps-winner", Check: "select-done", Hidden: true,
		What:  "SelectDone stays set: nobody can wake the next select of this G",
		Parts: selectMutant(func(p selects) gmp.Select { return &keepsWinner{p} }),
	},
	{
		Name: "select-keeps-losers", Check: "select-done", Hidden: true,
		What:  "the losing cases stay on their queues",
		Parts: selectMutant(func(p selects) gmp.Select { return &keepsLosers{p} }),
	},
	{
		Name: "select-forgets-default", Check: "select-default", Hidden: true,
		What:  "a select of which all channels are nil waits, though it has a default",
		Parts: selectMutant(func(p selects) gmp.Select { return &forgetsDefault{p} }),
	},
	{
		Name: "select-close-is-success", Check: "select-closed", Hidden: true,
		What:  "a send that was woken by a close counts as done",
		Parts: selectMutant(func(p selects) gmp.Select { return &closeIsSuccess{p} }),
	},
	{
		Name: "sema-fifo-only", Check: "sema-order", Hidden: true,
		What:  "lifo is ignored",
		Parts: semaMutant(func(p semaphores) gmp.Semaphores { return &fifoOnly{p} }),
	},
	{
		Name: "sema-keeps-ticket", Check: "sema-tree", Hidden: true,
		What:  "a dequeued sudog keeps its ticket, which looks like a hand-over",
		Parts: semaMutant(func(p semaphores) gmp.Semaphores { return &keepsTicket{p} }),
	},
	{
		Name: "sema-same-tickets", Check: "sema-flat", Hidden: true,
		What:  "all tickets are equal, so nothing is ever rotated",
		Parts: semaMutant(func(p semaphores) gmp.Semaphores { return &sameTickets{p} }),
	},
	{
		Name: "sema-counts-others", Check: "sema-order", Hidden: true,
		What:  "Semrelease1 takes one off Nwait though nobody waits for this address",
		Parts: semaMutant(func(p semaphores) gmp.Semaphores { return &countsOthers{p} }),
	},
	{
		Name: "sema-no-recheck", Check: "sema-recheck", Hidden: true,
		What:  "Semacquire1 does not look again when it holds the lock",
		Parts: semaMutant(func(p semaphores) gmp.Semaphores { return &noRecheck{p} }),
	},
	{
		Name: "sema-woken-has-it", Check: "sema-barging", Hidden: true,
		What:  "a woken waiter goes on without taking one",
		Parts: semaMutant(func(p semaphores) gmp.Semaphores { return &wokenHasIt{p} }),
	},
	{
		Name: "sema-no-handoff", Check: "sema-handoff", Hidden: true,
		What:  "handoff is ignored: whoever runs next may take the count",
		Parts: semaMutant(func(p semaphores) gmp.Semaphores { return &noHandoff{p} }),
	},
	{
		Name: "notify-head", Check: "notify-one", Hidden: true,
		What:  "NotifyListNotifyOne wakes the first of the list, whatever ticket it has",
		Parts: notifyMutant(func(p notifyLists) gmp.NotifyLists { return &notifiesHead{p} }),
	},
	{
		Name: "notify-unsigned", Check: "notify-one", Hidden: true,
		What:  "tickets are compared as numbers, which is wrong when they have gone round",
		Parts: notifyMutant(func(p notifyLists) gmp.NotifyLists { return &unsigned{p} }),
	},
	{
		Name: "notify-those-who-wait", Check: "notify-all", Hidden: true,
		What:  "NotifyListNotifyAll forgets those who have a ticket but do not wait yet",
		Parts: notifyMutant(func(p notifyLists) gmp.NotifyLists { return &thoseWhoWait{p} }),
	},
}

func waitqMutant(broken func(waitqs) gmp.Waitqs) gmp.Version {
	return gmp.Version{Waitqs: func(s *gmp.Sched) gmp.Waitqs { return broken(waitqs{s}) }}
}

func selectMutant(broken func(selects) gmp.Select) gmp.Version {
	return gmp.Version{Select: func(s *gmp.Sched) gmp.Select { return broken(selects{s}) }}
}

func semaMutant(broken func(semaphores) gmp.Semaphores) gmp.Version {
	return gmp.Version{Semaphores: func(s *gmp.Sched) gmp.Semaphores { return broken(semaphores{s}) }}
}

func notifyMutant(broken func(notifyLists) gmp.NotifyLists) gmp.Version {
	return gmp.Version{NotifyLists: func(s *gmp.Sched) gmp.NotifyLists { return broken(notifyLists{s}) }}
}

type allWin struct{ waitqs }

func (p *allWin) Dequeue(q *gmp.Waitq) *gmp.Sudog {
	sg := q.First
	if sg != nil {
		p.DequeueSudoG(q, sg)
		if sg.IsSelect {
			sg.G.SelectDone.Store(1)
		}
	}
	return sg
}

type givesUp struct{ waitqs }

func (p *givesUp) Dequeue(q *gmp.Waitq) *gmp.Sudog {
	sg := q.First
	if sg == nil {
		return nil
	}
	p.DequeueSudoG(q, sg)
	if sg.IsSelect && !sg.G.SelectDone.CompareAndSwap(0, 1) {
		return nil
	}
	return sg
}

type marksAll struct{ waitqs }

func (p *marksAll) Dequeue(q *gmp.Waitq) *gmp.Sudog {
	for sg := q.First; sg != nil; sg = q.First {
		p.DequeueSudoG(q, sg)
		if sg.G.SelectDone.CompareAndSwap(0, 1) {
			return sg
		}
	}
	return nil
}

type fixedOrder struct{ selects }

func (p *fixedOrder) Selectgo(mp *gmp.M, gp *gmp.G, cases []gmp.Scase, block bool) (int, bool) {
	mp.Fastrand = 1
	return p.selects.Selectgo(mp, gp, cases, block)
}

type keepsWinner struct{ selects }

func (p *keepsWinner) SelectgoDone(mp *gmp.M, gp *gmp.G) {
	p.selects.SelectgoDone(mp, gp)
	gp.SelectDone.Store(1)
}

type keepsLosers struct{ selects }

func (p *keepsLosers) SelectgoDone(mp *gmp.M, gp *gmp.G) {
	cases, winner := gp.Selects, gp.Param
	p.selects.SelectgoDone(mp, gp)
	for i := range cases {
		if c := &cases[i]; c.C != nil && i != winner.Case {
			c.C.Lock.Lock()
			p.s.Enqueue(waiters(c), &gmp.Sudog{G: gp, C: c.C, IsSelect: true, Case: i})
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
	if gp.Selects[gp.Param.Case].Send {
		gp.Param.Success = true
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
	if root.Treap != nil {
		ticket = root.Treap.Ticket
	}
	sg := p.semaphores.SemaDequeue(mp, root, addr)
	if sg != nil {
		sg.Ticket = ticket
	}
	return sg
}

type sameTickets struct{ semaphores }

func (p *sameTickets) SemaQueue(mp *gmp.M, root *gmp.SemaRoot, addr machine.Addr, sg *gmp.Sudog, lifo bool) {
	mp.Fastrand = 1
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
	sg := s.AcquireSudog(mp)
	sg.G = gp
	s.SemaQueue(mp, root, addr, sg, lifo)
	gp.Cont = (*gmp.Sched).SemacquireDone
	s.Gopark(mp, gp, parkunlock, &root.Lock, reason)
}

type wokenHasIt struct{ semaphores }

func (p *wokenHasIt) SemacquireDone(mp *gmp.M, gp *gmp.G) {
	gp.Param.Ticket = 1
	p.semaphores.SemacquireDone(mp, gp)
}

type noHandoff struct{ semaphores }

func (p *noHandoff) Semrelease1(mp *gmp.M, gp *gmp.G, addr machine.Addr, handoff bool) {
	p.semaphores.Semrelease1(mp, gp, addr, false)
}

type notifiesHead struct{ notifyLists }

func (p *notifiesHead) NotifyListNotifyOne(mp *gmp.M, l *gmp.NotifyList) {
	l.Lock.Lock()
	sg := l.Head
	if l.Notify == l.Wait.Load() {
		l.Lock.Unlock()
		return
	}
	l.Notify++
	if sg != nil {
		if l.Head = sg.Next; l.Head == nil {
			l.Tail = nil
		}
	}
	l.Lock.Unlock()
	if sg != nil {
		p.wake(mp, sg)
	}
}

type unsigned struct{ notifyLists }

func (p *unsigned) NotifyListWait(mp *gmp.M, gp *gmp.G, l *gmp.NotifyList, t uint32) {
	if t < l.Notify {
		return
	}
	p.notifyLists.NotifyListWait(mp, gp, l, t)
}

type thoseWhoWait struct{ notifyLists }

func (p *thoseWhoWait) NotifyListNotifyAll(mp *gmp.M, l *gmp.NotifyList) {
	t := l.Notify
	for sg := l.Head; sg != nil; sg = sg.Next {
		t++
	}
	p.notifyLists.NotifyListNotifyAll(mp, l)
	l.Notify = t
}
