// This file is yours: what you write in it is kept. The task is in README.md
// beside it, and this command checks your code:
//
//	go run ./autograder test ch04

package ch04

import "gosched/chapters/gmp"

// notifyLists are the lists of Gs that wait for a condition, linked by Next, each
// with its Ticket. Wait is the next ticket, Notify the oldest one not yet notified.
//
// NotifyLists are what sync.Cond sleeps on. Tickets are numbers that rise, and
// after the greatest uint32 continue at 0; those before l.Notify are notified.
type notifyLists struct {
	s *gmp.Sched
}

// NewNotifyLists makes the NotifyLists of s.
func NewNotifyLists(s *gmp.Sched) gmp.NotifyLists { return &notifyLists{s: s} }

// NotifyListAdd takes a ticket. It is called before whatever guards the
// condition is unlocked, without any lock, by several Ms at once. The runtime's
// notifyListAdd.
func (p *notifyLists) NotifyListAdd(l *gmp.NotifyList) uint32 {
	// Holds: No two calls return the same ticket.
	panic(gmp.TODO("NotifyListAdd"))
}

// NotifyListWait waits, for WaitReasonSyncCondWait, until ticket t is notified;
// not at all if it already has been. gp.Cont is NotifyListWaitDone. The
// runtime's notifyListWait.
func (p *notifyLists) NotifyListWait(mp *gmp.M, gp *gmp.G, l *gmp.NotifyList, t uint32) {
	// Holds: A notification of ticket t lets gp go on, whenever it comes.
	// Question: What may have happened to ticket t before this call? And what
	//           may happen between your look at Notify and the moment when gp
	//           waits?
	panic(gmp.TODO("NotifyListWait"))
}

// NotifyListWaitDone is what a notified G still has to do: it releases its
// sudog, which is gp.Param, and clears that.
func (p *notifyLists) NotifyListWaitDone(mp *gmp.M, gp *gmp.G) {
	// Holds: The sudog that gp waited with is released.
	panic(gmp.TODO("NotifyListWaitDone"))
}

// NotifyListNotifyAll notifies all tickets that were taken, and wakes their
// holders in the order in which they came to wait; the list is then empty. It
// is not locked while they are made ready. The runtime's notifyListNotifyAll.
func (p *notifyLists) NotifyListNotifyAll(mp *gmp.M, l *gmp.NotifyList) {
	// Holds: Every ticket taken before is notified, and none that is taken
	//        later.
	// Question: A G that you make ready may run at once, on another M. Whose
	//           is its sudog then?
	panic(gmp.TODO("NotifyListNotifyAll"))
}

// NotifyListNotifyOne notifies the oldest ticket, and wakes its holder, if that
// already waits. The list is not locked while the holder is made ready. The
// runtime's notifyListNotifyOne.
func (p *notifyLists) NotifyListNotifyOne(mp *gmp.M, l *gmp.NotifyList) {
	// Holds: Of the tickets that were taken and not notified, the oldest is
	//        notified, and no other.
	// Question: The holder of the oldest ticket is not on the list. Where may
	//           it be, and how does it learn that it was notified?
	panic(gmp.TODO("NotifyListNotifyOne"))
}
