//course:omit
package ch15

import (
	"slices"
	"sort"

	"gosched/chapters/gmp"
)

// Given is the form with one list for all, of the versions before 1.14.
var Given = gmp.Version{Timers: NewGiven}

// given stands for the timers of Go 1.0 to 1.9: all of them in one place, under
// one lock, whoever sets them. There it was a heap, and a goroutine, timerproc,
// that slept until the first of them was due and then ran it; so a timer was as
// late as timerproc was. Here it is a list, and the scheduler runs what is due
// when it is asked for a G; so a timer is as late as the next scheduling point.
// Go 1.10 to 1.13 had 64 such heaps.
//
// The list is s.Timerlist, in the order in which timers are due; those that are
// due at the same time are in the order in which they were set. Its lock is held
// while a timer fires, so that who stops one finds it set, or fired, and never
// in between. Timers take the locks of channels and s.Lock with it held.
type given struct{ s *gmp.Sched }

// NewGiven makes the given Timers.
func NewGiven(s *gmp.Sched) gmp.Timers { return &given{s: s} }

// TimeSleep sets a timer that makes gp ready. It cannot fire before gp waits: the
// list is locked until then.
func (p *given) TimeSleep(mp *gmp.M, gp *gmp.G, ns int64) {
	if ns <= 0 {
		return
	}
	when := p.s.Nanotime() + ns
	if when < 0 {
		when = gmp.MaxWhen
	}
	if gp.Timer.Get() == nil {
		gp.Timer.Set(p.s.NewTimer(gmp.GoroutineReady, gp))
	}
	ts := &p.s.Timerlist
	ts.Lock()
	p.add(gp.Timer.Get(), when, 0)
	p.s.Wakenetpoller(mp, when)
	p.s.Gopark(mp, gp, unlock, ts, gmp.WaitReasonSleep)
}

// unlock is the unlockf of a sleep.
func unlock(gp *gmp.G, ts any) bool {
	ts.(*gmp.TimerList).Unlock()
	return true
}

// ModTimer moves t to its new place.
func (p *given) ModTimer(mp *gmp.M, t *gmp.Timer, when, period int64) bool {
	p.s.Timerlist.Lock()
	defer p.s.Timerlist.Unlock()
	if when <= 0 {
		p.s.Throw("timer when must be positive")
	}
	if period < 0 {
		p.s.Throw("timer period must be non-negative")
	}
	pending := p.stop(t)
	p.add(t, when, period)
	p.s.Wakenetpoller(mp, when)
	return pending
}

// StopTimer takes t off the list.
func (p *given) StopTimer(mp *gmp.M, t *gmp.Timer) bool {
	p.s.Timerlist.Lock()
	defer p.s.Timerlist.Unlock()
	return p.stop(t)
}

// CheckTimers runs all timers that are due. A periodic one fires once, however
// often it should have since the last look, and is due again at the next of its
// times.
func (p *given) CheckTimers(mp *gmp.M, pp *gmp.P, now int64) (rnow, pollUntil int64, ran bool) {
	// A look without the lock: most of the time nothing is due. Who sets a timer
	// calls Wakenetpoller after it is published, so none is missed.
	ts := &p.s.Timerlist
	first := ts.MinWhenHeap.Load()
	if first == 0 {
		return now, 0, false
	}
	if now == 0 {
		now = p.s.Nanotime()
	}
	if now < first {
		return now, first, false
	}
	ts.Lock()
	defer ts.Unlock()
	for len(ts.Heap.Get()) > 0 && ts.Heap.Get()[0].When <= now {
		t := ts.Heap.Get()[0].Timer
		when := t.When.Get()
		p.take(t)
		if t.Period.Get() > 0 {
			p.put(t, next(when, t.Period.Get(), now), t.Period.Get())
		}
		t.F(p.s, mp, t.Arg, now-when)
		ran = true
	}
	// Not before, and Len not before Unlock: as long as a timer fires, Checkdead must know
	// that something comes.
	p.publish()
	if len(ts.Heap.Get()) > 0 {
		pollUntil = ts.Heap.Get()[0].When
	}
	return now, pollUntil, ran
}

// next is the first time after now of a timer that was due at when.
func next(when, period, now int64) int64 {
	if at := when + period*(1+(now-when)/period); at > 0 {
		return at
	}
	return gmp.MaxWhen
}

// CheckTimersNoP looks for the first timer that somebody waits for.
func (p *given) CheckTimersNoP(mp *gmp.M, allp []*gmp.P, pollUntil int64) int64 {
	ts := &p.s.Timerlist
	ts.Lock()
	defer ts.Unlock()
	for _, tw := range ts.Heap.Get() {
		switch {
		case tw.When == gmp.MaxWhen || pollUntil != 0 && tw.When >= pollUntil:
			return pollUntil
		case awaited(tw.Timer):
			return tw.When
		}
	}
	return pollUntil
}

// awaited reports whether a G becomes runnable when t fires.
func awaited(t *gmp.Timer) bool {
	if t.C == nil {
		return true
	}
	t.C.Lock.Lock()
	defer t.C.Lock.Unlock()
	return t.C.Recvq.First.Get() != nil
}

// The rest is called with the list locked.

// stop makes t as if it had never been set, and reports whether it was, or its
// channel held a time.
func (p *given) stop(t *gmp.Timer) bool {
	pending := t.When.Get() != 0
	if pending {
		p.remove(t)
	}
	return t.C != nil && drain(t.C) || pending
}

// add is put, published.
func (p *given) add(t *gmp.Timer, when, period int64) {
	p.put(t, when, period)
	p.publish()
}

// put puts t, which is on no list, behind all that are due no later.
func (p *given) put(t *gmp.Timer, when, period int64) {
	ts := &p.s.Timerlist
	t.When.Set(when)
	t.Period.Set(period)
	ts.Heap.Set(slices.Insert(ts.Heap.Get(), due(ts, when), gmp.TimerWhen{Timer: t, When: when}))
}

// remove is take, published.
func (p *given) remove(t *gmp.Timer) {
	p.take(t)
	p.publish()
}

// publish says when the first timer is due, for those who look without the lock.
func (p *given) publish() { replace(&p.s.Timerlist, p.s.Timerlist.Heap.Get()) }

// take takes t off the list.
func (p *given) take(t *gmp.Timer) {
	ts := &p.s.Timerlist
	i := due(ts, t.When.Get()-1)
	for ts.Heap.Get()[i].Timer != t {
		i++
	}
	if i == 0 { // by far the most frequent: nothing has to move
		ts.Heap.Get()[0] = gmp.TimerWhen{}
		ts.Heap.Set(ts.Heap.Get()[1:])
	} else {
		ts.Heap.Set(slices.Delete(ts.Heap.Get(), i, i+1))
	}
	t.When.Set(0)
}

// due is how many timers of ts are due at the time now.
func due(ts *gmp.TimerList, now int64) int {
	return sort.Search(len(ts.Heap.Get()), func(i int) bool { return ts.Heap.Get()[i].When > now })
}
