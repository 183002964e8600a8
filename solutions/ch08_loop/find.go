package ch08

import "gosched/chapters/gmp"

// finder looks for work, and does not spin: an M that finds nothing sleeps at once.
type finder struct {
	s *gmp.Sched
}

// NewFinder makes the Finder of s in the form of this chapter.
func NewFinder(s *gmp.Sched) gmp.Finder { return &finder{s: s} }

// FindRunnable returns a G for mp.
//
//course:exercise
func (p *finder) FindRunnable(mp *gmp.M) (gp *gmp.G, inheritTime, tryWakeP bool) {
	//course:holds A G that comes onto the global queue while mp gives up is found by mp, or the M that puts it there finds mp's P on the list. And the M that stops the world finds either mp, which stops, or its P on the list.
	//course:question You have looked everywhere, and there was nothing. What may have come since, at each of the places, and what would tell you?
	//course:lead Which looks can be combined into one step with giving back the P? And which of your variables are still true after a sleep?
	s := p.s
	//course:step Again and again, until there is a G, or the program is over.
	for !s.Exited() {
		//course:step If the world is to stop, stop (Gcstopm). mp may have a different P afterwards.
		if s.Gcwaiting.Load() {
			s.Gcstopm(mp)
			continue
		}
		pp := mp.P.Get()
		//course:step Run the timers that are due: they may put something in the queue of pp.
		now, pollUntil, _ := s.CheckTimers(mp, pp, 0)
		//course:step Look nearby.
		if gp, inheritTime := s.Nearby(mp); gp != nil {
			return gp, inheritTime, false
		}
		//course:step Ask others. If their timers have run, start again.
		gp, inheritTime, now, theirs, newWork := s.StealWork(mp, now)
		if gp != nil {
			return gp, inheritTime, false
		}
		if newWork {
			continue
		}
		//course:step There is nothing. Under the lock look once more whether the world is to stop, which needs pp, and at the global queue: an M that puts a G there afterwards finds pp on the list of idle Ps.
		s.Lock.Lock()
		if s.Gcwaiting.Load() {
			s.Lock.Unlock()
			continue
		}
		if gp := s.Globrunqgetlocal(pp); gp != nil {
			s.Lock.Unlock()
			return gp, false, false
		}
		s.Releasep(mp)
		now = s.Pidleput(pp, now)
		s.Lock.Unlock()
		//course:step Wait for the next timer, on your P or another one, and for the network, if there is anything to wait for and no other M already does so (Sched.Netpolluntil). Then take an idle P again; what has come is for Injectglist.
		if until := sooner(pollUntil, theirs); until != 0 || s.NetpollAnyWaiters() {
			if list, polled := s.Netpolluntil(mp, until, now); polled {
				s.Lock.Lock()
				pp, _ := s.Pidleget(0)
				s.Lock.Unlock()
				if pp != nil {
					s.Acquirep(mp, pp)
				}
				s.Injectglist(mp, list)
				if pp != nil {
					continue
				}
			}
		}
		//course:step Or sleep until an M brings a P.
		s.Stopm(mp)
	}
	return nil, false, false
}

// sooner is the earlier of two times, of which 0 means none.
//
//course:omit
func sooner(a, b int64) int64 {
	if a == 0 || b == 0 {
		return a + b
	}
	return min(a, b)
}
