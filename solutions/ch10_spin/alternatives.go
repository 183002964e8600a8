package ch10

import "gosched/chapters/gmp"

// Stages is the Finder once more, cut into one function for each of its stages. It is
// right as well; but each stage can be done wrong in a way of its own, and that makes
// the mutants of the Finder.
var Stages = finderMutant(nothing)

// A flaw is a mistake in one of the stages.
type flaw int

const (
	nothing flaw = iota
	stealsFirst
	newWorkIgnored
	capMissing
	capOfOne
	noLastLook
	needspinningIgnored
	recheckWithP
	recheckFirst
	recheckWithoutGlobal
	givesUpCounted
	findsQuietly
	globalQuietly
	allpLate
	oversleeps
)

func finderMutant(f flaw) gmp.Version {
	return gmp.Version{Finder: func(s *gmp.Sched) gmp.Finder { return &stages{s, f} }}
}

type stages struct {
	s    *gmp.Sched
	flaw flaw
}

// FindRunnable goes through the stages until one has a G.
func (p *stages) FindRunnable(mp *gmp.M) (gp *gmp.G, inheritTime, tryWakeP bool) {
	for gp == nil && !p.s.Exited() {
		if p.s.Gcwaiting.Load() {
			p.s.Gcstopm(mp)
		} else {
			gp, inheritTime = p.round(mp)
		}
	}
	return gp, inheritTime, false
}

// round is one look at everything. If there is nothing, it ends when mp has slept.
func (p *stages) round(mp *gmp.M) (gp *gmp.G, inheritTime bool) {
	s := p.s
	if p.flaw == stealsFirst && s.Runqempty(mp.P.Get()) {
		if gp, _, again := p.steal(mp, 0); gp != nil || again {
			return gp, false
		}
	}
	_, until, _ := s.CheckTimers(mp, mp.P.Get(), 0)
	if gp, inheritTime := s.Nearby(mp); gp != nil {
		return gp, inheritTime
	}
	gp, until, again := p.steal(mp, until)
	if gp != nil || again {
		return gp, false
	}
	if p.flaw == recheckWithP && mp.Spinning.Get() {
		return p.giveUpWithP(mp), false
	}
	all := s.Allp.Get() // without a P mp could not be sure of it
	gp, gone := p.letGo(mp)
	if !gone {
		return gp, false
	}
	if p.flaw == allpLate {
		all = s.Allp.Get()
	}
	spun := mp.Spinning.Get()
	if spun {
		gp, pp := p.recheck(mp, all)
		if p.flaw == globalQuietly && pp != nil && s.Runqsize.Load() > 0 {
			s.Acquirep(mp, pp)
			return nil, false
		}
		if pp != nil {
			s.Acquirep(mp, pp)
			if p.flaw != findsQuietly {
				s.BecomeSpinning(mp)
			}
			return gp, false
		}
		until = s.CheckTimersNoP(mp, all, until)
	}
	p.rest(mp, until, spun)
	return nil, false
}

// maySpin reports whether mp spins, or may begin to.
func (p *stages) maySpin(mp *gmp.M) bool {
	s := p.s
	spinning := s.Nmspinning.Load()
	switch {
	case mp.Spinning.Get() || p.flaw == capMissing:
		return true
	case p.flaw == capOfOne:
		return spinning == 0
	}
	return spinning*2 < s.Gomaxprocs.Get()-s.Npidle.Load()
}

// steal asks the others, if mp may. again: everything is to begin anew.
func (p *stages) steal(mp *gmp.M, until int64) (gp *gmp.G, soonest int64, again bool) {
	s := p.s
	if !p.maySpin(mp) {
		return nil, until, false
	}
	if !mp.Spinning.Get() {
		s.BecomeSpinning(mp)
	}
	gp, _, _, w, newWork := s.StealWork(mp, 0)
	if w != 0 && (until == 0 || w < until) && p.flaw != oversleeps {
		until = w
	}
	return gp, until, newWork && p.flaw != newWorkIgnored
}

// letGo takes mp's P from it, unless there is something left to do for it.
func (p *stages) letGo(mp *gmp.M) (gp *gmp.G, gone bool) {
	s := p.s
	s.Lock.Lock()
	defer s.Lock.Unlock()
	if s.Gcwaiting.Load() {
		return nil, false
	}
	if s.Runq.Get().Size > 0 && p.flaw != noLastLook {
		return s.Globrunqgetlocal(mp.P.Get()), false
	}
	if s.Needspinning.Load() && !mp.Spinning.Get() && p.flaw != needspinningIgnored {
		s.BecomeSpinning(mp)
		return nil, false
	}
	s.Pidleput(s.Releasep(mp), 0)
	return nil, true
}

// uncount takes mp out of those that spin.
func (p *stages) uncount(mp *gmp.M) {
	mp.Spinning.Set(false)
	if p.flaw != givesUpCounted && p.s.Nmspinning.Add(-1) < 0 {
		p.s.Throw("findRunnable: negative nmspinning")
	}
}

// recheck ends the spinning of mp and looks at all queues. It returns a P if there is
// work, and the G if that is taken already.
func (p *stages) recheck(mp *gmp.M, all []*gmp.P) (gp *gmp.G, pp *gmp.P) {
	s := p.s
	if p.flaw == recheckFirst {
		defer p.uncount(mp)
	} else {
		p.uncount(mp)
	}
	s.Lock.Lock()
	if s.Runq.Get().Size > 0 && p.flaw != recheckWithoutGlobal {
		if pp, _ = s.PidlegetSpinning(mp, 0); pp != nil && p.flaw != globalQuietly {
			gp = s.Globrunqgetlocal(pp)
		}
	}
	s.Lock.Unlock()
	if pp == nil {
		pp = s.CheckRunqsNoP(mp, all)
	}
	return gp, pp
}

// giveUpWithP looks once more as long as mp has its P, and then gives it back.
func (p *stages) giveUpWithP(mp *gmp.M) *gmp.G {
	s := p.s
	p.uncount(mp)
	for _, pp := range s.Allp.Get() {
		if pp != mp.P.Get() && !s.Runqempty(pp) {
			s.BecomeSpinning(mp)
			return nil
		}
	}
	s.Lock.Lock()
	s.Pidleput(s.Releasep(mp), 0)
	s.Lock.Unlock()
	s.Stopm(mp)
	return nil
}

// rest waits for the first timer and the network, or sleeps.
func (p *stages) rest(mp *gmp.M, until int64, spun bool) {
	s := p.s
	if until == 0 && !s.NetpollAnyWaiters() {
		s.Stopm(mp)
		return
	}
	list, polled := s.Netpolluntil(mp, until, 0)
	if !polled {
		s.Stopm(mp)
		return
	}
	s.Lock.Lock()
	pp, _ := s.Pidleget(0)
	s.Lock.Unlock()
	if pp == nil {
		s.Injectglist(mp, list)
		s.Stopm(mp)
		return
	}
	s.Acquirep(mp, pp)
	s.Injectglist(mp, list)
	if spun && list.Head == nil {
		s.BecomeSpinning(mp)
	}
}
