//course:omit
package ch10_test

import "gosched/chapters/gmp"

// This file has other right finders, and alternatives_test.go tests them.

// twice looks more often than it must: nearby before it gives up, at all queues two times
// in its last look; and it wakes somebody when it has found work there.
var twice = gmp.Version{
	Finder: func(s *gmp.Sched) gmp.Finder { return &looksTwice{s} },
}

type looksTwice struct{ s *gmp.Sched }

func (p *looksTwice) FindRunnable(mp *gmp.M) (gp *gmp.G, inheritTime, tryWakeP bool) {
	s := p.s
	for !s.Exited() {
		if s.Gcwaiting.Load() {
			s.Gcstopm(mp)
			continue
		}
		now, until, _ := s.CheckTimers(mp, mp.P.Get(), 0)
		for range 2 {
			if gp, inheritTime = s.Nearby(mp); gp != nil {
				return gp, inheritTime, false
			}
		}
		busy := s.Gomaxprocs.Get() - s.Npidle.Load()
		if mp.Spinning.Get() || s.Nmspinning.Load()*2 < busy {
			if !mp.Spinning.Get() {
				s.BecomeSpinning(mp)
			}
			gp, inheritTime, tnow, w, again := s.StealWork(mp, now)
			if gp != nil {
				return gp, inheritTime, false
			}
			if again {
				continue
			}
			now, until = tnow, sooner(until, w)
			if gp, inheritTime := s.Nearby(mp); gp != nil {
				return gp, inheritTime, false
			}
		}
		gp, all := p.giveBack(mp, now)
		if gp != nil {
			return gp, false, false
		}
		spun := mp.Spinning.Get()
		if all == nil || p.foundAfterAll(mp, all) {
			continue
		}
		if s.Exited() {
			break
		}
		p.rest(mp, all, until, now, spun)
	}
	return nil, false, false
}

// giveBack takes mp's P from it, and returns all Ps; nil if mp is to begin anew.
func (p *looksTwice) giveBack(mp *gmp.M, now int64) (gp *gmp.G, all []*gmp.P) {
	s := p.s
	s.Lock.Lock()
	defer s.Lock.Unlock()
	pp, all := mp.P.Get(), s.Allp.Get()
	if s.Gcwaiting.Load() {
		return nil, nil
	}
	for range 2 {
		if gp = s.Globrunqgetlocal(pp); gp != nil {
			return gp, nil
		}
	}
	if s.Needspinning.Load() && !mp.Spinning.Get() {
		s.BecomeSpinning(mp)
		return nil, nil
	}
	s.Pidleput(s.Releasep(mp), now)
	return nil, all
}

// foundAfterAll reports whether mp, which has spun and does so no more, has found work and
// a P.
func (p *looksTwice) foundAfterAll(mp *gmp.M, all []*gmp.P) bool {
	s := p.s
	if !mp.Spinning.Get() {
		return false
	}
	s.Nmspinning.Add(-1)
	mp.Spinning.Set(false)
	for range 2 {
		var pp *gmp.P
		s.Lock.Lock()
		if s.Runq.Get().Head != nil {
			pp, _ = s.PidlegetSpinning(mp, 0)
		}
		s.Lock.Unlock()
		if pp == nil {
			pp = s.CheckRunqsNoP(mp, all)
		}
		if pp != nil {
			s.Acquirep(mp, pp)
			s.BecomeSpinning(mp)
			s.Wakep(mp)
			return true
		}
	}
	return false
}

// rest waits for the first timer and the network, or sleeps.
func (p *looksTwice) rest(mp *gmp.M, all []*gmp.P, until, now int64, spun bool) {
	s := p.s
	until = s.CheckTimersNoP(mp, all, until)
	if until == 0 && !s.NetpollAnyWaiters() {
		s.Stopm(mp)
		return
	}
	list, polled := s.Netpolluntil(mp, until, now)
	if !polled {
		s.Stopm(mp)
		return
	}
	nothing := list.Head == nil
	s.Lock.Lock()
	pp, _ := s.Pidleget(0)
	s.Lock.Unlock()
	if pp != nil {
		s.Acquirep(mp, pp)
	}
	s.Injectglist(mp, list)
	switch {
	case pp == nil:
		s.Stopm(mp)
	case nothing && spun:
		s.BecomeSpinning(mp)
	}
}

// staged is a finder as a machine of states: each stage says which one comes next.
var staged = gmp.Version{
	Finder: func(s *gmp.Sched) gmp.Finder { return hunter{s} },
}

type hunter struct{ s *gmp.Sched }

func (p hunter) FindRunnable(mp *gmp.M) (gp *gmp.G, inheritTime, tryWakeP bool) {
	h := &hunt{Sched: p.s, mp: mp}
	for stage := near; stage != nil && !p.s.Exited(); {
		stage = stage(h)
	}
	return h.gp, h.inheritTime, false
}

// A hunt is one call of FindRunnable.
type hunt struct {
	*gmp.Sched
	mp          *gmp.M
	gp          *gmp.G
	inheritTime bool
	now, until  int64
	all         []*gmp.P // when mp gave its P back
	spun        bool     // before that
}

// A stage does one thing and returns the next stage, nil if there is a G.
type stage func(h *hunt) stage

// found ends a hunt if it has a G.
func (h *hunt) found(otherwise stage) stage {
	if h.gp != nil {
		return nil
	}
	return otherwise
}

func near(h *hunt) stage {
	if h.Gcwaiting.Load() {
		h.Gcstopm(h.mp)
		return near
	}
	h.now, h.until, _ = h.CheckTimers(h.mp, h.mp.P.Get(), 0)
	h.gp, h.inheritTime = h.Nearby(h.mp)
	return h.found(far)
}

func far(h *hunt) stage {
	if !h.mp.Spinning.Get() {
		if h.Gomaxprocs.Get()-h.Npidle.Load() <= 2*h.Nmspinning.Load() {
			return giveBack
		}
		h.BecomeSpinning(h.mp)
	}
	var w int64
	var again bool
	h.gp, h.inheritTime, h.now, w, again = h.StealWork(h.mp, h.now)
	h.until = sooner(h.until, w)
	if again {
		return h.found(near)
	}
	return h.found(giveBack)
}

func giveBack(h *hunt) stage {
	h.spun, h.all = h.mp.Spinning.Get(), h.Allp.Get()
	h.Lock.Lock()
	defer h.Lock.Unlock()
	if h.Gcwaiting.Load() {
		return near
	}
	if h.gp = h.Globrunqgetlocal(h.mp.P.Get()); h.gp != nil {
		h.inheritTime = false
		return nil
	}
	if !h.spun && h.Needspinning.Load() {
		h.BecomeSpinning(h.mp)
		return near
	}
	h.now = h.Pidleput(h.Releasep(h.mp), h.now)
	if h.spun {
		return lastLook
	}
	return wait
}

func lastLook(h *hunt) stage {
	h.mp.Spinning.Set(false)
	h.Nmspinning.Add(-1)
	h.Lock.Lock()
	var pp *gmp.P
	if h.Runqsize.Load() != 0 {
		pp, _ = h.PidlegetSpinning(h.mp, h.now)
	}
	h.Lock.Unlock()
	if pp == nil {
		pp = h.CheckRunqsNoP(h.mp, h.all)
	}
	if pp != nil {
		h.Acquirep(h.mp, pp)
		h.BecomeSpinning(h.mp)
		return near
	}
	h.until = h.CheckTimersNoP(h.mp, h.all, h.until)
	return wait
}

func wait(h *hunt) stage {
	if h.until == 0 && !h.NetpollAnyWaiters() {
		return sleep
	}
	list, polled := h.Netpolluntil(h.mp, h.until, h.now)
	if !polled {
		return sleep
	}
	h.Lock.Lock()
	pp, _ := h.Pidleget(h.now)
	h.Lock.Unlock()
	if pp == nil {
		h.Injectglist(h.mp, list)
		return sleep
	}
	h.Acquirep(h.mp, pp)
	if h.spun && list.Size == 0 {
		h.BecomeSpinning(h.mp)
	}
	h.Injectglist(h.mp, list)
	return near
}

func sleep(h *hunt) stage {
	h.Stopm(h.mp)
	return near
}
