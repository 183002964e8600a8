// This file is yours: what you write in it is kept. The task is in README.md
// beside it, and this command checks your code:
//
//	go run ./autograder test ch04

package ch04

import "gosched/chapters/gmp"

// notifyLists are the lists of those who wait for a condition, linked by Next, each
// with its Ticket. Wait is the next ticket, Notify the oldest that is not notified.
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
	// Holds: No two calls return the same ticket.
	panic(gmp.TODO("NotifyListAdd"))
}

// NotifyListWait waits, for WaitReasonSyncCondWait, until ticket t is
// notified; not at all if it already was. gp.Cont is NotifyListWaitDone. The
// runtime's notifyListWait.
func (p *notifyLists) NotifyListWait(mp *gmp.M, gp *gmp.G, l *gmp.NotifyList, t uint32) {
	// Holds: A notification of ticket t lets gp go on, whenever it comes.
	// Question: What may have happened to ticket t before this call? And what
	//           between your look at Notify and the moment at which gp waits?
	panic(gmp.TODO("NotifyListWait"))
}

// NotifyListWaitDone is what a notified G still does: it releases its sudog,
// which is gp.Param, and clears that.
func (p *notifyLists) NotifyListWaitDone(mp *gmp.M, gp *gmp.G) {
	// Holds: What gp waited with is given back.
	panic(gmp.TODO("NotifyListWaitDone"))
}

// NotifyListNotifyAll notifies all tickets that were taken, and wakes their
// holders in the order in which they came to wait; the list is empty then.
// It is not locked when it makes them ready. The runtime's
// notifyListNotifyAll.
func (p *notifyLists) NotifyListNotifyAll(mp *gmp.M, l *gmp.NotifyList) {
	// Holds: Each ticket that was taken before is notified, and none that is
	//        taken later.
	// Question: A G that you make ready may run at once, on another M. Whose
	//           is its sudog then?
	panic(gmp.TODO("NotifyListNotifyAll"))
}

// NotifyListNotifyOne notifies the oldest ticket, and wakes its holder, if it
// waits already. The list is not locked when it makes it ready. The runtime's
// notifyListNotifyOne.
func (p *notifyLists) NotifyListNotifyOne(mp *gmp.M, l *gmp.NotifyList) {
	// Holds: Of the tickets that were taken and not notified the oldest is,
	//        and no other.
	// Question: The holder of the oldest ticket is not on the list. Where may
	//           it be, and how does it learn that it was notified?
	panic(gmp.TODO("NotifyListNotifyOne"))
}
