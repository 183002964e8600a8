// Package ch15 is timers: chapter 15, Go 1.14 in the form of 1.23.
//
// Each P has a heap of timers, and whoever looks for work runs what is due. Only the M that holds
// the lock of a heap moves anything in it; all others change the timer, and leave a mark for that
// M to find.
package ch15

import "gosched/chapters/gmp"

// Parts are the parts of this chapter.
var Parts = gmp.Version{
	Timers:     NewTimers,
	TimerHeap:  NewTimerHeap,
	TimerChans: NewTimerChans,
}

// timers are what package time and the Finder ask for.
type timers struct {
	s *gmp.Sched
}

// NewTimers makes the Timers of s.
func NewTimers(s *gmp.Sched) gmp.Timers { return &timers{s: s} }

// TimeSleep parks gp for ns.
//
//course:exercise
func (p *timers) TimeSleep(mp *gmp.M, gp *gmp.G, ns int64) {
	//course:holds The timer fires when gp waits, not before, and nothing of gp is touched after that.
	//course:question The sleep lasts 1 ns, and a thief looks at this P's timers all the time. When is the first moment at which the timer may be found?
	if ns <= 0 {
		return
	}
	s := p.s
	//course:step gp has a timer of its own, made when it first sleeps.
	if gp.Timer.Get() == nil {
		gp.Timer.Set(s.NewTimer(gmp.GoroutineReady, gp))
	}
	//course:step When it wakes; a sum that does not fit is negative.
	when := s.Nanotime() + ns
	if when < 0 {
		when = gmp.MaxWhen
	}
	gp.SleepWhen.Set(when)
	//course:step Park. The unlockf sets the timer: Gopark calls it when gp waits. It needs an M, which the park passes on.
	s.Gopark(mp, gp, func(gp *gmp.G, mp any) bool {
		s.ModTimer(mp.(*gmp.M), gp.Timer.Get(), gp.SleepWhen.Get(), 0)
		return true
	}, mp, gmp.WaitReasonSleep)
}

// ModTimer sets t anew.
//
//course:exercise
func (p *timers) ModTimer(mp *gmp.M, t *gmp.Timer, when, period int64) bool {
	//course:holds From its return on t fires at when, and not for anything that was set before; and an M that sleeps until a later time has been told.
	//course:question t is in the heap of another P, whose M may be about to run it. What may you write, and how does that M learn of it?
	//course:lead There are four places in which the old time may still be: the timer, the entry in the heap, a send that is on its way, and the buffer of the channel. What do you do about each?
	s := p.s
	//course:step Two mistakes that only the runtime can make.
	if when <= 0 {
		s.Throw("timer when must be positive")
	}
	if period < 0 {
		s.Throw("timer period must be non-negative")
	}
	//course:step Lock: SendLock first, if there is a channel.
	if t.C != nil {
		t.SendLock.Lock()
	}
	t.Lock()
	//course:step What was still to come: the time, or a send that has been decided on. That one will find another Seq.
	pending := stale(t)
	t.When.Set(when)
	t.Period.Set(period)
	//course:step In a heap, the entry is wrong from now on, and t is no zombie any more. If this is earlier than all other changes, publish it: first the mark, then the time.
	wake := false
	if t.State.Get()&gmp.TimerHeaped != 0 {
		ts := t.Ts.Get()
		if t.State.Get()&gmp.TimerZombie != 0 {
			ts.Zombies.Add(-1)
		}
		t.State.Set(gmp.TimerHeaped | gmp.TimerModified)
		if first := ts.MinWhenModified.Load(); first == 0 || when < first {
			wake = true
			t.Astate.Store(t.State.Get())
			lower(ts, when)
		}
	}
	add := needsAdd(t)
	t.Unlock()
	//course:step Empty the channel, and let others send again.
	if t.C != nil {
		if drain(t.C) {
			pending = true
		}
		t.SendLock.Unlock()
	}
	//course:step Without locks: add t to a heap if it must be in one, and tell whoever sleeps.
	if add {
		s.MaybeAdd(mp, t)
	}
	if wake {
		s.Wakenetpoller(mp, when)
	}
	return pending
}

// StopTimer keeps t from firing.
//
//course:exercise
func (p *timers) StopTimer(mp *gmp.M, t *gmp.Timer) bool {
	//course:holds From its return on t does not fire, and its channel is empty.
	//course:question Who removes t from its heap, and what must be counted so that it does not wait for that too long?
	//course:step Lock, as in ModTimer; what was still to come?
	if t.C != nil {
		t.SendLock.Lock()
	}
	t.Lock()
	pending := stale(t)
	t.When.Set(0)
	//course:step In a heap it is a zombie from now on, counted once.
	if t.State.Get()&gmp.TimerHeaped != 0 {
		bury(t)
		t.State.Set(t.State.Get() | gmp.TimerModified)
	}
	t.Unlock()
	//course:step Empty the channel.
	if t.C != nil {
		if drain(t.C) {
			pending = true
		}
		t.SendLock.Unlock()
	}
	return pending
}

// CheckTimers runs what is due in the heap of pp.
//
//course:exercise
func (p *timers) CheckTimers(mp *gmp.M, pp *gmp.P, now int64) (rnow, pollUntil int64, ran bool) {
	//course:holds What was due when the list was locked has been run, by this M or another one. pollUntil is no later than anything that remains and that nobody has set meanwhile.
	//course:question This is called in each round of the scheduler, by each M, for its own P, and by thieves for all others. What does it cost when nothing is due?
	//course:lead A timer that fires may set others of the same heap to earlier times. Where is such a time when the M has the lock again, and what does the first entry say of it?
	s := p.s
	ts := &pp.Timers
	//course:step A look without the lock: is there anything, and is it due?
	next := ts.WakeTime()
	if next == 0 {
		return now, 0, false
	}
	if now == 0 {
		now = s.Nanotime()
	}
	own := pp == mp.P.Get()
	if now < next && !(own && littered(ts)) {
		return now, next, false
	}
	//course:step Under the lock: correct what was modified, then run the first as long as it is due. The lock is free while it runs, so do both anew each time.
	ts.Lock()
	s.Adjust(ts, now, false)
	for p.runTimer(mp, ts, now) {
		ran = true
		s.Adjust(ts, now, false)
	}
	//course:step In its own heap an M removes zombies, if there are many.
	if own && littered(ts) {
		s.Adjust(ts, now, true)
	}
	//course:step What remains: not only the first entry says when, since another one may have been modified.
	pollUntil = ts.WakeTime()
	ts.Unlock()
	return now, pollUntil, ran
}

// littered reports whether more than a quarter of the timers of ts are zombies.
//
//course:omit
func littered(ts *gmp.TimerList) bool {
	return ts.Zombies.Load() > int32(ts.Len.Load()/4)
}

// runTimer fires the first timer of ts, which is locked, if that is due at the time now, and
// reports whether it has. The runtime's timers.run.
//
//course:omit
func (p *timers) runTimer(mp *gmp.M, ts *gmp.TimerList, now int64) (fired bool) {
	s := p.s
	for len(ts.Heap.Get()) > 0 {
		first := ts.Heap.Get()[0]
		t := first.Timer
		if first.When > now && t.Astate.Load()&(gmp.TimerModified|gmp.TimerZombie) == 0 {
			return false
		}
		t.Lock()
		if s.UpdateHeap(t) {
			t.Unlock()
			continue
		}
		// It may have been a zombie before it was locked, and a G waits for it now.
		if t.When.Get() > now {
			t.Unlock()
			return false
		}
		s.UnlockAndRun(mp, t, now)
		return true
	}
	return false
}

// CheckTimersNoP looks for the first timer of all.
//
//course:exercise
func (p *timers) CheckTimersNoP(mp *gmp.M, allp []*gmp.P, pollUntil int64) int64 {
	//course:question mp has no P. What of a TimerList may it read?
	for _, pp := range allp {
		if when := pp.Timers.WakeTime(); when != 0 && (pollUntil == 0 || when < pollUntil) {
			pollUntil = when
		}
	}
	return pollUntil
}

// stale takes note that what t was set to does not count any more, and reports whether it was
// still to come: its time, or a send that others have decided on. t is locked, and so is its
// SendLock if it has a channel.
//
//course:omit
func stale(t *gmp.Timer) (pending bool) {
	pending = t.When.Get() > 0
	if t.C != nil {
		t.Seq.Set(t.Seq.Get() + 1)
		if t.Period.Get() == 0 && t.IsSending.Load() > 0 {
			pending = true
		}
	}
	return pending
}

// lower lets MinWhenModified of ts be no later than when. ts need not be locked. The runtime's
// timers.updateMinWhenModified.
//
//course:omit
func lower(ts *gmp.TimerList, when int64) {
	for {
		old := ts.MinWhenModified.Load()
		if old != 0 && old <= when || ts.MinWhenModified.CompareAndSwap(old, when) {
			return
		}
	}
}

// bury makes t, which is locked and in a heap, a zombie.
//
//course:omit
func bury(t *gmp.Timer) {
	if t.State.Get()&gmp.TimerZombie == 0 {
		t.State.Set(t.State.Get() | gmp.TimerZombie)
		t.Ts.Get().Zombies.Add(1)
	}
}

// needsAdd reports whether t, which is locked, must be in a heap and is not. The runtime's
// timer.needsAdd.
//
//course:omit
func needsAdd(t *gmp.Timer) bool {
	return t.State.Get()&gmp.TimerHeaped == 0 && t.When.Get() > 0 && (t.C == nil || t.Blocked.Get() > 0)
}
