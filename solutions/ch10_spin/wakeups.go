// Package ch10 is spinning and parking: chapter 10, Go 1.1 to 1.20.
//
// How many Ms are awake is decided without knowing how much work there is: that would take
// a lock. A few Ms look for work although there may be none: they spin. An M that queues a
// G wakes no other as long as there is one of them; the last one that finds something wakes
// the next. The order on which all of it hangs is explained at gmp.Wakeups.
package ch10

import "gosched/chapters/gmp"

// Parts are the parts of this chapter.
var Parts = gmp.Version{
	Finder:  NewFinder,
	Wakeups: NewWakeups,
}

// wakeups keeps nothing of its own: everything is counted in gmp.Sched.
type wakeups struct {
	s *gmp.Sched
}

// NewWakeups makes the Wakeups of s.
func NewWakeups(s *gmp.Sched) gmp.Wakeups { return &wakeups{s: s} }

// BecomeSpinning counts mp as an M that looks for work.
//
//course:exercise
func (p *wakeups) BecomeSpinning(mp *gmp.M) {
	//course:holds An M that has set Needspinning before is served: mp looks at all queues after this.
	//course:step Say so, and count. And clear the request for a spinner: mp looks after this.
	mp.Spinning.Set(true)
	p.s.Nmspinning.Add(1)
	p.s.Needspinning.Store(false)
}

// PidlegetSpinning takes an idle P for work that is known. s.Lock is held.
//
//course:exercise
func (p *wakeups) PidlegetSpinning(mp *gmp.M, now int64) (*gmp.P, int64) {
	//course:holds Either there is a P, or each M that gives one back later, and has not looked for work, finds the sign.
	//course:step If there is none, an M may just be about to give its P back, without having seen that work. That M looks at Needspinning, under the same lock.
	pp, now := p.s.Pidleget(now)
	if pp == nil {
		p.s.Needspinning.Store(true)
	}
	return pp, now
}

// Stopm lets mp sleep.
//
//course:exercise
func (p *wakeups) Stopm(mp *gmp.M) {
	//course:holds From the moment when mp is on the list it can be woken, and no wake-up is lost; when Stopm returns mp holds the P that it was given.
	//course:question Another M may wake mp after it is on the list and before it sleeps. What must not happen to its note and its Nextp from then on?
	s := p.s
	//course:step An M that sleeps has no P, and is not counted as spinning.
	if mp.P.Get() != nil {
		s.Throw("stopm holding p")
	}
	if mp.Spinning.Get() {
		s.Throw("stopm spinning")
	}
	//course:step Onto the list of idle Ms. Another M may wake it before it sleeps; the note keeps that.
	s.Lock.Lock()
	s.Mput(mp)
	s.Lock.Unlock()
	s.MPark(mp)
	//course:step The M that woke it has left a P for it.
	pp := mp.Nextp.Get()
	mp.Nextp.Set(nil)
	s.Acquirep(mp, pp)
}

// Startm lets an M run pp.
//
//course:exercise
func (p *wakeups) Startm(mp *gmp.M, pp *gmp.P, spinning, lockheld bool) {
	//course:holds When the M wakes, what it looks at first is already there; and at no moment is a P on its way to an M of which Checkdead knows nothing.
	//course:question s.Lock is free for a moment, and another M goes to sleep just then. Is it the last one?
	//course:lead What does a woken M read first, and which M has written that? And a new M: from when on does it count?
	s := p.s
	if !lockheld {
		s.Lock.Lock()
	}
	//course:step Without a P, take an idle one; if there is none, that is all. A spinning M was already counted, so it must come, and for that there must be a P.
	if pp == nil {
		if spinning {
			s.Throw("startm: P required for spinning=true")
		}
		if pp, _ = s.Pidleget(0); pp == nil {
			if !lockheld {
				s.Lock.Unlock()
			}
			return
		}
	}
	//course:step An M that sleeps, if there is one. It is now off the list, so no other M wakes it.
	nmp := s.Mget()
	if nmp == nil {
		//course:step Otherwise a new one. Its ID is reserved under the lock: from then on it counts, and Checkdead does not think that no M is left.
		id := s.MReserveID()
		s.Lock.Unlock()
		var fn func(mp *gmp.M)
		if spinning {
			fn = mspinning
		}
		s.Newm(mp, fn, pp, id)
		if lockheld {
			s.Lock.Lock()
		}
		return
	}
	if !lockheld {
		s.Lock.Unlock()
	}
	//course:step It must be an M that can take pp; and if it is to spin, pp must be without work.
	switch {
	case nmp.Spinning.Get():
		s.Throw("startm: m is spinning")
	case nmp.Nextp.Get() != nil:
		s.Throw("startm: m has p")
	case spinning && !s.Runqempty(pp):
		s.Throw("startm: p has runnable gs")
	}
	//course:step Tell it, and only then wake it.
	nmp.Spinning.Set(spinning)
	nmp.Nextp.Set(pp)
	nmp.Park.Wakeup()
}

// mspinning is the first thing that a new M does if it was counted as spinning.
//
//course:omit
func mspinning(mp *gmp.M) { mp.Spinning.Set(true) }

// Wakep lets one more M spin, unless one does. The caller has queued a G before. Both
// the queue and Nmspinning are atomic, so it cannot be that it finds an M spinning
// here that has already looked at the queue, and will not do so again.
//
//course:exercise
func (p *wakeups) Wakep(mp *gmp.M) {
	//course:holds Of all Ms that call it at the same time one goes on. If its M does not come, for want of a P, then no G whose maker has relied on that M is forgotten.
	//course:question You have counted an M, and there is no P for it. Others may have relied on it meanwhile, and looked no further. Until when may it stay in the count, and which M looks in its stead?
	//course:lead An M that gives a P back takes s.Lock for that. What does it find if it comes before you, and what if it comes after you?
	s := p.s
	//course:step If an M spins, it will find the G. If not, count one, from 0 to 1: of all that come at the same time one goes on.
	if s.Nmspinning.Load() != 0 || !s.Nmspinning.CompareAndSwap(0, 1) {
		return
	}
	//course:step It needs a P. If none is idle, uncount it, before the lock is released: others have relied on that M, which will not come, and looked no further. But an M that puts a P on the list takes the lock for that, and so comes before all this, when there would have been a P, or after it, and then finds Needspinning.
	s.Lock.Lock()
	pp, _ := s.PidlegetSpinning(mp, 0)
	if pp == nil {
		if s.Nmspinning.Add(-1) < 0 {
			s.Throw("wakep: negative nmspinning")
		}
		s.Lock.Unlock()
		return
	}
	s.Lock.Unlock()
	//course:step Let an M take it.
	s.Startm(mp, pp, true, false)
}

// Resetspinning ends mp's spinning, since mp has found a G.
//
//course:exercise
func (p *wakeups) Resetspinning(mp *gmp.M) {
	//course:holds The Gs that were queued while mp spun, and for which no M was woken because of it, have an M that looks for them, as long as a P is idle.
	//course:question Which M does Wakep see spinning when you call it?
	s := p.s
	if !mp.Spinning.Get() {
		s.Throw("resetspinning: not a spinning m")
	}
	//course:step Uncount it.
	mp.Spinning.Set(false)
	if s.Nmspinning.Add(-1) < 0 {
		s.Throw("resetspinning: negative nmspinning")
	}
	//course:step While mp spun, others have queued Gs and because of it woken no M. So if no other M spins, one must come for those; Wakep makes sure of that.
	s.Wakep(mp)
}

// CheckRunqsNoP looks whether any P has work, for mp, which has no P.
//
//course:exercise
func (p *wakeups) CheckRunqsNoP(mp *gmp.M, allp []*gmp.P) *gmp.P {
	//course:holds If it returns nil, no queue had a G when it was looked at, or no P was idle and the sign is set.
	//course:question Why is the P that has the G not the one to return?
	s := p.s
	for _, p2 := range allp {
		//course:step The first one that has work is enough: mp needs a P to steal with, and any idle one will do. If there is none, all are busy, and will find that work themselves.
		if !s.Runqempty(p2) {
			s.Lock.Lock()
			pp, _ := s.PidlegetSpinning(mp, 0)
			s.Lock.Unlock()
			return pp
		}
	}
	return nil
}
