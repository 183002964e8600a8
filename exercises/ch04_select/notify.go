// This file is yours: what you write in it is kept. The task is in README.md
// beside it, and this command checks your code:
//
//	go run ./autograder test ch04

package ch04

import "gosched/chapters/gmp"

// notifyLists are what sync.Cond sleeps on. A waiter takes a ticket before it
// unlocks what guards the condition, so no notification gets lost between that
// and its sleep. Tickets below Notify are notified. They are counted round and
// round, in 32 bits.
//
// NotifyLists are what sync.Cond sleeps on. Tickets are numbers that rise, and go
// from the greatest uint32 on to 0; those before l.Notify are notified.
type notifyLists struct {
	s *gmp.Sched
}

// NewNotifyLists makes the NotifyLists of s.
func NewNotifyLists(s *gmp.Sched) gmp.NotifyLists { return &notifyLists{s: s} }

// NotifyListAdd takes a ticket. It is called before the unlock of what guards
// the condition, without any lock, by several Ms at once. The runtime's
// notifyListAdd.
func (p *notifyLists) NotifyListAdd(l *gmp.NotifyList) uint32 {
	panic(gmp.TODO("NotifyListAdd"))
}

// NotifyListWait waits, for WaitReasonSyncCondWait, until ticket t is
// notified; not at all if it already was. gp.Cont is NotifyListWaitDone. The
// runtime's notifyListWait.
func (p *notifyLists) NotifyListWait(mp *gmp.M, gp *gmp.G, l *gmp.NotifyList, t uint32) {
	panic(gmp.TODO("NotifyListWait"))
}

// NotifyListWaitDone is what a notified G still does: it releases its sudog,
// which is gp.Param, and clears that.
func (p *notifyLists) NotifyListWaitDone(mp *gmp.M, gp *gmp.G) {
	panic(gmp.TODO("NotifyListWaitDone"))
}

// NotifyListNotifyAll notifies all tickets that were taken, and wakes their
// holders in the order in which they came to wait; the list is empty then.
// It is not locked when it makes them ready. The runtime's
// notifyListNotifyAll.
func (p *notifyLists) NotifyListNotifyAll(mp *gmp.M, l *gmp.NotifyList) {
	panic(gmp.TODO("NotifyListNotifyAll"))
}

// NotifyListNotifyOne notifies the oldest ticket, and wakes its holder, if it
// waits already. The list is not locked when it makes it ready. The runtime's
// notifyListNotifyOne.
func (p *notifyLists) NotifyListNotifyOne(mp *gmp.M, l *gmp.NotifyList) {
	panic(gmp.TODO("NotifyListNotifyOne"))
}

// before reports whether ticket a was taken before b. They may have gone round.
func before(a, b uint32) bool { return int32(a-b) < 0 }
