package ch10

import "gosched/chapters/gmp"

// finder looks for work, and before it sleeps it looks twice.
type finder struct {
	s *gmp.Sched
}

// NewFinder makes the Finder of s in the form of this chapter.
func NewFinder(s *gmp.Sched) gmp.Finder { return &finder{s} }

// FindRunnable returns a G for mp.
//
//course:exercise
func (p *finder) FindRunnable(mp *gmp.M) (gp *gmp.G, inheritTime, tryWakeP bool) {
	s := p.s
	for !s.Exited() {
		//course:step As in chapter 8: the timers, every 61st time the global queue, the own queue, a batch of the global one. Then the network, if a G waits for it and no M does.
		pp := mp.P
		now, pollUntil, _ := s.CheckTimers(mp, pp, 0)
		if gp, inheritTime := p.nearby(mp, pp); gp != nil {
			return gp, inheritTime, false
		}
		//course:step Steal, but only if mp spins, or begins to: as long as twice the number of those that spin is less than that of the busy Ps. More would only be in each other's way.
		if mp.Spinning || 2*s.Nmspinning.Load() < s.Gomaxprocs-s.Npidle.Load() {
			if !mp.Spinning {
				s.BecomeSpinning(mp)
			}
			gp, inheritTime, tnow, w, newWork := s.StealWork(mp, now)
			if gp != nil {
				return gp, inheritTime, false
			}
			if newWork {
				continue
			}
			now = tnow
			if w != 0 && (pollUntil == 0 || w < pollUntil) {
				pollUntil = w
			}
		}
		//course:step There is nothing. Under the lock look once more at the global queue: who puts a G there afterwards finds pp on the list of idle Ps.
		s.Lock.Lock()
		if gp := p.globrunqget(pp); gp != nil {
			s.Lock.Unlock()
			return gp, false, false
		}
		//course:step If mp has not stolen, but somebody has seen work and got no P for it, then do not give this one back: spin. The lock keeps the two apart: either he finds pp on the list, or mp finds Needspinning.
		if !mp.Spinning && s.Needspinning.Load() {
			s.BecomeSpinning(mp)
			s.Lock.Unlock()
			continue
		}
		//course:step Give the P back. From now on others may have it.
		s.Releasep(mp)
		now = s.Pidleput(pp, now)
		s.Lock.Unlock()
		//course:step Who has been spinning is not any more. First take it out of Nmspinning, and only then look at everything once more: who queues a G looks at Nmspinning afterwards. So if he still saw mp spinning, mp now sees his G. With the two the other way round both could miss each other, and the G would wait although a P is idle.
		wasSpinning := mp.Spinning
		if wasSpinning {
			mp.Spinning = false
			if s.Nmspinning.Add(-1) < 0 {
				s.Throw("findrunnable: negative nmspinning")
			}
			gp, pp := p.recheck(mp)
			if pp != nil {
				//course:step There is work, and a P for it. Spin again; then Resetspinning, when mp runs a G, lets another M look whether there is more.
				s.Acquirep(mp, pp)
				s.BecomeSpinning(mp)
				if gp != nil {
					return gp, false, false
				}
				continue
			}
			//course:step Timers are work, too: one may have been set since.
			pollUntil = s.CheckTimersNoP(mp, s.Allp, pollUntil)
		}
		//course:step Wait for the next timer and the network, if there is anything to wait for and no other M does so already (Sched.Netpolluntil). What comes from there is run, or queued if there is no P.
		if pollUntil != 0 || s.NetpollAnyWaiters() {
			if list, polled := s.Netpolluntil(mp, pollUntil, now); polled {
				s.Lock.Lock()
				pp, _ := s.Pidleget(0)
				s.Lock.Unlock()
				if pp != nil {
					s.Acquirep(mp, pp)
					if gp := p.ready(mp, list); gp != nil {
						return gp, false, false
					}
					if wasSpinning {
						s.BecomeSpinning(mp)
					}
					continue
				}
				s.Injectglist(mp, list)
			}
		}
		//course:step Or sleep until somebody brings a P.
		s.Stopm(mp)
	}
	return nil, false, false
}

// nearby looks where nobody is disturbed: the own queue, the global one, the network.
//
//course:omit
func (p *finder) nearby(mp *gmp.M, pp *gmp.P) (gp *gmp.G, inheritTime bool) {
	s := p.s
	if pp.Schedtick%61 == 0 && s.Runqsize.Load() > 0 {
		s.Lock.Lock()
		gp := s.Globrunqget()
		s.Lock.Unlock()
		if gp != nil {
			return gp, false
		}
	}
	if gp, inheritTime := s.Runqget(pp); gp != nil {
		return gp, inheritTime
	}
	if s.Runqsize.Load() > 0 {
		s.Lock.Lock()
		gp := p.globrunqget(pp)
		s.Lock.Unlock()
		if gp != nil {
			return gp, false
		}
	}
	if s.NetpollAnyWaiters() && s.Lastpoll.Load() != 0 {
		return p.ready(mp, s.Netpoll(mp, 0)), false
	}
	return nil, false
}

// recheck looks at all queues for mp, which has given back its P and spins no more. If
// there is work, and an idle P, it returns that P, and the G if it has taken one.
//
//course:omit
func (p *finder) recheck(mp *gmp.M) (*gmp.G, *gmp.P) {
	s := p.s
	s.Lock.Lock()
	if s.Runq.Size > 0 {
		if pp, _ := s.PidlegetSpinning(mp, 0); pp != nil {
			gp := p.globrunqget(pp)
			s.Lock.Unlock()
			return gp, pp
		}
	}
	s.Lock.Unlock()
	return nil, s.CheckRunqsNoP(mp, s.Allp)
}

// globrunqget takes a batch from the global queue for pp, whose own queue is empty,
// nil if there is nothing. s.Lock is held.
//
//course:omit
func (p *finder) globrunqget(pp *gmp.P) *gmp.G {
	s := p.s
	if s.Runq.Size == 0 {
		return nil
	}
	gp, q := s.Globrunqgetbatch(int32(len(pp.Runq) / 2))
	if s.Runqputbatch(pp, q).Size > 0 {
		s.Throw("could not put Gs into an empty run queue")
	}
	return gp
}

// ready makes the Gs of list, which came from the network, runnable; it returns the
// first, nil if there is none. mp has a P.
//
//course:omit
func (p *finder) ready(mp *gmp.M, list gmp.GList) *gmp.G {
	gp := list.Pop()
	if gp == nil {
		return nil
	}
	p.s.Injectglist(mp, list)
	p.s.Casgstatus(gp, gmp.Gwaiting, gmp.Grunnable)
	return gp
}
