package ch04

import (
	"slices"

	"gosched/chapters/check"
	"gosched/chapters/gmp"
)

// freeAtReady checks that the list is not locked when somebody is made ready.
func (w *world) freeAtReady(l *gmp.NotifyList) {
	w.atReady = func(waiter *gmp.G) {
		if check.Held(&l.Lock) {
			w.t.Errorf("when %s is made ready, the list is still locked: other Gs, on other threads, cannot come to wait", check.Name(waiter))
		}
	}
}

// waitFor lets gp wait for ticket t of l.
func (w *world) waitFor(gp *gmp.G, l *gmp.NotifyList, t uint32) (goesOn bool) {
	w.t.Helper()
	w.atPark = func(gp *gmp.G) {
		w.wantCont(gp)
		if !check.Held(&l.Lock) {
			w.t.Errorf("when %s parks, the list is not locked: a notification may find its sudog, and wake the G before it waits", check.Name(gp))
		}
	}
	goesOn = w.as(gp, func() { w.s.NotifyListWait(w.mp, gp, l, t) })
	if check.Held(&l.Lock) {
		w.t.Fatalf("after NotifyListWait, the list is still locked")
	}
	return goesOn
}

// notifyOne notifies holders who came in another order than their tickets. start
// is the first ticket.
func notifyOne(t *check.T) {
	for _, start := range []uint32{0, 1<<32 - 2} {
		w := newWorld(t)
		l := &gmp.NotifyList{}
		l.Notify.Store(start)
		w.freeAtReady(l)
		l.Wait.Store(start)
		gs := []*gmp.G{w.newG(), w.newG(), w.newG(), w.newG()}
		for i := range gs {
			if got := w.s.NotifyListAdd(l); got != start+uint32(i) {
				t.Fatalf("the first ticket is %d; NotifyListAdd number %d returned %d", start, i+1, got)
			}
		}
		for _, i := range []int{2, 0, 1} {
			if w.waitFor(gs[i], l, start+uint32(i)) {
				t.Fatalf("ticket %d was not notified, but its holder does not wait", start+uint32(i))
			}
		}
		for i := range 3 {
			w.s.NotifyListNotifyOne(w.mp, l)
			if check.Held(&l.Lock) {
				t.Fatalf("after NotifyListNotifyOne, the list is still locked")
			}
			if got := check.Drain(w.s); len(got) != 1 || got[0] != gs[i] {
				t.Fatalf("tickets from %d on; notification %d woke %s; want %s, which has the oldest ticket", start, i+1, check.Names(got), check.Name(gs[i]))
			}
		}
		// The fourth is notified before it comes to wait.
		w.s.NotifyListNotifyOne(w.mp, l)
		if !w.waitFor(gs[3], l, start+3) {
			t.Errorf("ticket %d was notified before its holder came to wait, and it waits for ever", start+3)
		}
		w.s.NotifyListNotifyOne(w.mp, l)
		if l.Notify.Load() != l.Wait.Load() {
			t.Errorf("a notification that reached no ticket was kept: Notify is %d, Wait %d", l.Notify.Load(), l.Wait.Load())
		}
		for _, gp := range gs[:3] {
			w.goOn(gp)
			if gp.Param.Get() != nil {
				t.Errorf("%s goes on, and gp.Param is still set", check.Name(gp))
			}
		}
		if w.lent != 0 {
			t.Errorf("all Gs go on, and %d sudogs were not released", w.lent)
		}
		// The list is empty again, at both ends.
		late := w.newG()
		w.waitFor(late, l, w.s.NotifyListAdd(l))
		w.s.NotifyListNotifyAll(w.mp, l)
		if !w.runnable(late) {
			t.Errorf("the list had been empty; a G came to wait, and NotifyListNotifyAll did not wake it")
		}
	}
}

// notifyAll notifies those who wait, and one who has only a ticket.
func notifyAll(t *check.T) {
	w := newWorld(t)
	l := new(gmp.NotifyList)
	w.freeAtReady(l)
	gs := []*gmp.G{w.newG(), w.newG(), w.newG()}
	for _, gp := range gs {
		w.waitFor(gp, l, w.s.NotifyListAdd(l))
	}
	if got := w.parks[0].reason; got != gmp.WaitReasonSyncCondWait {
		t.Errorf("the G waits for %q; want %q", got, gmp.WaitReasonSyncCondWait)
	}
	late := w.newG()
	ticket := w.s.NotifyListAdd(l)
	w.s.NotifyListNotifyAll(w.mp, l)
	if got := check.Drain(w.s); !slices.Equal(got, gs) {
		t.Errorf("%s wait; NotifyListNotifyAll woke %s; want all of them, in this order", check.Names(gs), check.Names(got))
	}
	if l.Head.Get() != nil || l.Tail.Get() != nil {
		t.Fatalf("NotifyListNotifyAll has woken all that waited, and the list still leads to a sudog, which another G may have by now")
	}
	if !w.waitFor(late, l, ticket) {
		t.Errorf("a ticket was taken before NotifyListNotifyAll, and its holder, which comes later, waits for ever")
	}
	if w.waitFor(w.newG(), l, w.s.NotifyListAdd(l)) {
		t.Errorf("a ticket was taken after NotifyListNotifyAll, but its holder does not wait")
	}
}
