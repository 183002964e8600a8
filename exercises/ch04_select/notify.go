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
type notifyLists struct {
	s *gmp.Sched
}

// NewNotifyLists makes the NotifyLists of s.
func NewNotifyLists(s *gmp.Sched) gmp.NotifyLists { return &notifyLists{s: s} }

// NotifyListAdd takes a ticket.
func (p *notifyLists) NotifyListAdd(l *gmp.NotifyList) uint32 {
	// 1. Wait is the next ticket. Others may ask at the same moment, and the
	//    list is not locked.
	panic(gmp.TODO("NotifyListAdd"))
}

// NotifyListWait waits until ticket t is notified.
func (p *notifyLists) NotifyListWait(mp *gmp.M, gp *gmp.G, l *gmp.NotifyList, t uint32) {
	// 1. Under the lock: if t is notified already, go on.
	// 2. Put a sudog with the ticket at the tail of the list, which hangs
	//    together by Next.
	// 3. Say what is left to do, and park; unlock when the G waits.
	panic(gmp.TODO("NotifyListWait"))
}

// NotifyListWaitDone is what a notified G still does.
func (p *notifyLists) NotifyListWaitDone(mp *gmp.M, gp *gmp.G) {
	// 1. Its notifier left the sudog in gp.Param: give it back.
	panic(gmp.TODO("NotifyListWaitDone"))
}

// NotifyListNotifyAll notifies all tickets that were taken.
func (p *notifyLists) NotifyListNotifyAll(mp *gmp.M, l *gmp.NotifyList) {
	// 1. Under the lock, take the whole list. All tickets taken up to now are
	//    notified, also those whose holders have not come to wait yet.
	// 2. Wake them in the order in which they came. A G that is ready may give
	//    its sudog back: look at Next before.
	panic(gmp.TODO("NotifyListNotifyAll"))
}

// NotifyListNotifyOne notifies the oldest ticket.
func (p *notifyLists) NotifyListNotifyOne(mp *gmp.M, l *gmp.NotifyList) {
	// 1. Under the lock: if all tickets are notified, there is nobody.
	// 2. Find the holder of the oldest ticket. It need not be the first: who
	//    took a ticket first may come to wait later. It may not even be there;
	//    then it will see that it was notified.
	// 3. Take it out, wherever it stands.
	// 4. Unlock, then wake it.
	panic(gmp.TODO("NotifyListNotifyOne"))
}

// before reports whether ticket a was taken before b. They may have gone round.
func before(a, b uint32) bool { return int32(a-b) < 0 }
