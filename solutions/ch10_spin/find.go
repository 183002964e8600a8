package ch10

import "gosched/chapters/gmp"

// finder looks for work, and before it sleeps it looks twice.
type finder struct {
	s *gmp.Sched
}

// NewFinder makes the Finder of s in the form of this chapter.
func NewFinder(s *gmp.Sched) gmp.Finder { return &finder{s: s} }

// FindRunnable returns a G for mp.
//
//course:exercise
func (p *finder) FindRunnable(mp *gmp.M) (gp *gmp.G, inheritTime, tryWakeP bool) {
	//course:holds A G that any M queues while mp gives up is found by mp; or the M that queued it sees that no M spins, and finds a P for an M to come with. It is never neither.
	//course:question Between any two of your steps another M queues a G, and afterwards looks at Nmspinning and for an idle P. Which of the two sees the other?
	//course:lead Each thing at which mp looks for the last time may change one moment later: which M notices that, and how? Which of these things may be read without a P?
	s := p.s
	for !s.Exited() {
		//course:step As in chapter 8: stop if the world is to stop; then the timers; then what is nearby.
		if s.Gcwaiting.Load() {
			s.Gcstopm(mp)
			continue
		}
		pp := mp.P.Get()
		now, pollUntil, _ := s.CheckTimers(mp, pp, 0)
		if gp, inheritTime := s.Nearby(mp); gp != nil {
			return gp, inheritTime, false
		}
		//course:step Steal, but only if mp spins, or begins to: as long as twice the number of spinning Ms is less than the number of busy Ps. More would only get in each other's way.
		if mp.Spinning.Get() || 2*s.Nmspinning.Load() < s.Gomaxprocs.Get()-s.Npidle.Load() {
			if !mp.Spinning.Get() {
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
		//course:step There is nothing. Under the lock look once more whether the world is to stop, and at the global queue: an M that puts a G there afterwards finds pp on the list of idle Ps.
		s.Lock.Lock()
		if s.Gcwaiting.Load() {
			s.Lock.Unlock()
			continue
		}
		if gp := s.Globrunqgetlocal(pp); gp != nil {
			s.Lock.Unlock()
			return gp, false, false
		}
		//course:step If mp has not stolen, but another M has seen work and got no P for it, then do not give this one back: spin. The lock keeps the two apart: either the other M finds pp on the list, or mp finds Needspinning.
		if !mp.Spinning.Get() && s.Needspinning.Load() {
			s.BecomeSpinning(mp)
			s.Lock.Unlock()
			continue
		}
		//course:step Give the P back. From now on others may have it, and the world may stop without mp, and s.Allp may change; keep what it is now.
		allp := s.Allp.Get()
		s.Releasep(mp)
		now = s.Pidleput(pp, now)
		s.Lock.Unlock()
		//course:step If mp has been spinning, it no longer is. First take it out of Nmspinning, and only then look at everything once more: an M that queues a G looks at Nmspinning afterwards. So if that one still saw mp spinning, mp now sees the G.
		wasSpinning := mp.Spinning.Get()
		if wasSpinning {
			mp.Spinning.Set(false)
			if s.Nmspinning.Add(-1) < 0 {
				s.Throw("findRunnable: negative nmspinning")
			}
			gp, pp := recheck(s, mp, allp)
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
			pollUntil = s.CheckTimersNoP(mp, allp, pollUntil)
		}
		//course:step Wait for the next timer and the network, if there is anything to wait for and no other M already does so (Sched.Netpolluntil). Then take an idle P again; what has come is for Injectglist. If nothing has, and mp spun before, it goes on with that.
		if pollUntil != 0 || s.NetpollAnyWaiters() {
			if list, polled := s.Netpolluntil(mp, pollUntil, now); polled {
				s.Lock.Lock()
				pp, _ := s.Pidleget(0)
				s.Lock.Unlock()
				if pp != nil {
					s.Acquirep(mp, pp)
				}
				s.Injectglist(mp, list)
				if pp != nil {
					if wasSpinning && list.Head == nil {
						s.BecomeSpinning(mp)
					}
					continue
				}
			}
		}
		//course:step Or sleep until an M brings a P.
		s.Stopm(mp)
	}
	return nil, false, false
}

// recheck looks at all queues for mp, which has given back its P and no longer spins.
// If there is work, and an idle P, it returns that P, and the G if it has taken one.
//
//course:omit
func recheck(s *gmp.Sched, mp *gmp.M, allp []*gmp.P) (*gmp.G, *gmp.P) {
	s.Lock.Lock()
	if s.Runq.Get().Size > 0 {
		if pp, _ := s.PidlegetSpinning(mp, 0); pp != nil {
			gp := s.Globrunqgetlocal(pp)
			s.Lock.Unlock()
			return gp, pp
		}
	}
	s.Lock.Unlock()
	return nil, s.CheckRunqsNoP(mp, allp)
}
