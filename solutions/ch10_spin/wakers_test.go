//course:omit
package ch10_test

import "gosched/chapters/gmp"

// This file has other right Wakeups, and alternatives_test.go tests them.

// takesFirst counts the M that it wakes last, when it has the P for it, all under the lock;
// and whoever looks whether there is work does so under the lock.
var takesFirst = gmp.Version{
	Wakeups: func(s *gmp.Sched) gmp.Wakeups { return &underLock{&brisk{s}, s} },
}

type underLock struct {
	gmp.Wakeups
	s *gmp.Sched
}

func (p *underLock) Wakep(mp *gmp.M) {
	s := p.s
	s.Lock.Lock()
	defer s.Lock.Unlock()
	if s.Nmspinning.Load() > 0 {
		return
	}
	pp, now := s.PidlegetSpinning(mp, 0)
	switch {
	case pp == nil:
	case s.Nmspinning.CompareAndSwap(0, 1):
		s.Startm(mp, pp, true, true)
	default: // somebody began to spin by himself
		s.Pidleput(pp, now)
	}
}

func (p *underLock) CheckRunqsNoP(mp *gmp.M, allp []*gmp.P) *gmp.P {
	s := p.s
	s.Lock.Lock()
	defer s.Lock.Unlock()
	for i := range allp {
		if s.Runqempty(allp[len(allp)-1-i]) {
			continue
		}
		pp, _ := s.PidlegetSpinning(mp, 0)
		return pp
	}
	return nil
}

// swaps counts by compare-and-swap alone, signs are swapped, an M that sleeps looks
// whether it has really been given a P, and Resetspinning calls Wakep twice.
var swaps = gmp.Version{
	Wakeups: func(s *gmp.Sched) gmp.Wakeups { return &swapper{s} },
}

type swapper struct{ s *gmp.Sched }

// count adds to Nmspinning.
func (p *swapper) count(n int32) int32 {
	for {
		old := p.s.Nmspinning.Load()
		if p.s.Nmspinning.CompareAndSwap(old, old+n) {
			return old + n
		}
	}
}

func (p *swapper) Wakep(mp *gmp.M) {
	s := p.s
	if s.Nmspinning.CompareAndSwap(0, 1) {
		s.Lock.Lock()
		pp, _ := s.PidlegetSpinning(mp, 0)
		if pp == nil {
			p.count(-1)
		}
		s.Lock.Unlock()
		if pp != nil {
			s.Startm(mp, pp, true, false)
		}
	}
}

func (p *swapper) Startm(mp *gmp.M, pp *gmp.P, spinning, lockheld bool) {
	if !lockheld {
		p.s.Lock.Lock()
	}
	start := p.whom(mp, pp, spinning)
	if start != nil {
		p.s.Lock.Unlock()
		start()
		if lockheld {
			p.s.Lock.Lock()
		}
	} else if !lockheld {
		p.s.Lock.Unlock()
	}
}

// whom finds an M under the lock, and returns what starts it without; nil if there is no P.
func (p *swapper) whom(mp *gmp.M, pp *gmp.P, spinning bool) (start func()) {
	s := p.s
	if pp == nil {
		if spinning {
			s.Throw("startm: P required for spinning=true")
		}
		if pp, _ = s.Pidleget(0); pp == nil {
			return nil
		}
	}
	nmp := s.Mget()
	if nmp == nil {
		id := s.MReserveID()
		return func() { s.Newm(mp, func(newm *gmp.M) { newm.Spinning.Set(spinning) }, pp, id) }
	}
	switch {
	case nmp.Nextp.Get() != nil:
		s.Throw("startm: m has p")
	case nmp.Spinning.Get():
		s.Throw("startm: m is spinning")
	case !s.Runqempty(pp) && spinning:
		s.Throw("startm: p has runnable gs")
	}
	nmp.Nextp.Set(pp)
	nmp.Spinning.Set(spinning)
	return nmp.Park.Wakeup
}

func (p *swapper) Stopm(mp *gmp.M) {
	s := p.s
	if mp.P.Get() != nil {
		s.Throw("stopm holding p")
	}
	if mp.Spinning.Get() {
		s.Throw("stopm spinning")
	}
	s.Lock.Lock()
	s.Mput(mp)
	s.Lock.Unlock()
	var pp *gmp.P
	for pp == nil {
		s.MPark(mp)
		pp = mp.Nextp.Get()
	}
	mp.Nextp.Set(nil)
	s.Acquirep(mp, pp)
}

func (p *swapper) BecomeSpinning(mp *gmp.M) {
	p.s.Needspinning.Swap(false)
	p.count(1)
	mp.Spinning.Set(true)
}

func (p *swapper) Resetspinning(mp *gmp.M) {
	if !mp.Spinning.Get() {
		p.s.Throw("resetspinning: not a spinning m")
	}
	mp.Spinning.Set(false)
	if p.count(-1) < 0 {
		p.s.Throw("resetspinning: negative nmspinning")
	}
	p.s.Wakep(mp)
	p.s.Wakep(mp)
}

func (p *swapper) PidlegetSpinning(mp *gmp.M, now int64) (*gmp.P, int64) {
	pp, rnow := p.s.Pidleget(now)
	if pp == nil {
		p.s.Needspinning.CompareAndSwap(false, true)
	}
	return pp, rnow
}

func (p *swapper) CheckRunqsNoP(mp *gmp.M, allp []*gmp.P) (pp *gmp.P) {
	for _, p2 := range allp {
		if pp == nil && !p.s.Runqempty(p2) {
			p.s.Lock.Lock()
			pp, _ = p.s.PidlegetSpinning(mp, 0)
			p.s.Lock.Unlock()
		}
	}
	return pp
}
