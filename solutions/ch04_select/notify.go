package ch04

import "gosched/chapters/gmp"

// notifyLists are the lists of Gs that wait for a condition, linked by Next, each
// with its Ticket. Wait is the next ticket, Notify the oldest one not yet notified.
type notifyLists struct {
	s *gmp.Sched
}

// NewNotifyLists makes the NotifyLists of s.
func NewNotifyLists(s *gmp.Sched) gmp.NotifyLists { return &notifyLists{s: s} }

// NotifyListAdd takes a ticket.
//
//course:exercise
func (p *notifyLists) NotifyListAdd(l *gmp.NotifyList) uint32 {
	//course:holds No two calls return the same ticket.
	//course:step Wait is the next ticket. Others may ask at the same moment, and the list is not locked.
	return l.Wait.Add(1) - 1
}

// NotifyListWait waits until ticket t is notified.
//
//course:exercise
func (p *notifyLists) NotifyListWait(mp *gmp.M, gp *gmp.G, l *gmp.NotifyList, t uint32) {
	//course:holds A notification of ticket t lets gp go on, whenever it comes.
	//course:question What may have happened to ticket t before this call? And what may happen between your look at Notify and the moment when gp waits?
	//course:step Under the lock: if t is notified already, go on.
	l.Lock.Lock()
	if before(t, l.Notify.Load()) {
		l.Lock.Unlock()
		return
	}
	//course:step Put a sudog with the ticket at the tail of the list, which is linked by Next.
	sg := p.s.AcquireSudog(mp)
	sg.G.Set(gp)
	sg.Ticket.Set(t)
	if l.Tail.Get() != nil {
		l.Tail.Get().Next.Set(sg)
	} else {
		l.Head.Set(sg)
	}
	l.Tail.Set(sg)
	//course:step Say what is left to do, and park; unlock when the G waits.
	gp.Cont.Set((*gmp.Sched).NotifyListWaitDone)
	p.s.Gopark(mp, gp, parkunlock, &l.Lock, gmp.WaitReasonSyncCondWait)
}

// NotifyListWaitDone is what a notified G still has to do.
//
//course:exercise
func (p *notifyLists) NotifyListWaitDone(mp *gmp.M, gp *gmp.G) {
	//course:holds The sudog that gp waited with is released.
	//course:step Its notifier left the sudog in gp.Param: release it.
	sg := gp.Param.Get()
	gp.Param.Set(nil)
	p.s.ReleaseSudog(mp, sg)
}

// NotifyListNotifyAll notifies all tickets that were taken.
//
//course:exercise
func (p *notifyLists) NotifyListNotifyAll(mp *gmp.M, l *gmp.NotifyList) {
	//course:holds Every ticket taken before is notified, and none that is taken later.
	//course:question A G that you make ready may run at once, on another M. Whose is its sudog then?
	//course:step Under the lock, take the whole list. All tickets taken up to now are notified, including those whose holders have not come to wait yet.
	l.Lock.Lock()
	sg := l.Head.Get()
	l.Head.Set(nil)
	l.Tail.Set(nil)
	l.Notify.Store(l.Wait.Load())
	l.Lock.Unlock()
	//course:step Wake them in the order in which they came. A G that is ready may release its sudog: look at Next before that.
	for sg != nil {
		next := sg.Next.Get()
		p.wake(mp, sg)
		sg = next
	}
}

// NotifyListNotifyOne notifies the oldest ticket.
//
//course:exercise
func (p *notifyLists) NotifyListNotifyOne(mp *gmp.M, l *gmp.NotifyList) {
	//course:holds Of the tickets that were taken and not notified, the oldest is notified, and no other.
	//course:question The holder of the oldest ticket is not on the list. Where may it be, and how does it learn that it was notified?
	//course:step Under the lock: if all tickets are notified, there is nothing to do.
	l.Lock.Lock()
	t := l.Notify.Load()
	if t == l.Wait.Load() {
		l.Lock.Unlock()
		return
	}
	l.Notify.Add(1)
	//course:step Find the holder of the oldest ticket. It need not be the first: a G that took its ticket first may come to wait later. It may not even be there yet; then it will see that it was notified.
	var prev *gmp.Sudog
	sg := l.Head.Get()
	for sg != nil && sg.Ticket.Get() != t {
		prev, sg = sg, sg.Next.Get()
	}
	//course:step Remove it, wherever it is.
	if sg != nil {
		if prev != nil {
			prev.Next.Set(sg.Next.Get())
		} else {
			l.Head.Set(sg.Next.Get())
		}
		if l.Tail.Get() == sg {
			l.Tail.Set(prev)
		}
	}
	//course:step Unlock, then wake it.
	l.Lock.Unlock()
	if sg != nil {
		p.wake(mp, sg)
	}
}

// wake makes the G of sg, which has left the list, ready.
//
//course:omit
func (p *notifyLists) wake(mp *gmp.M, sg *gmp.Sudog) {
	sg.Next.Set(nil)
	gp := sg.G.Get()
	gp.Param.Set(sg)
	p.s.Goready(mp, gp)
}

// before reports whether ticket a was taken before b. They may have wrapped
// around.
//
//course:omit
func before(a, b uint32) bool { return int32(a-b) < 0 }
