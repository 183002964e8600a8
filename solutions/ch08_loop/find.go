package ch08

import "gosched/chapters/gmp"

// finder looks for work, and does not spin: an M that finds nothing sleeps at once.
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
	//course:step Again and again, until there is one, or the program is over.
	for !s.Exited() {
		pp := mp.P
		//course:step Run the timers that are due: they may put something in the queue of pp.
		now, pollUntil, _ := s.CheckTimers(mp, pp, 0)
		//course:step Every 61st time slice begins with a G of the global queue, one, if there is any. Else two Gs that wake each other could keep pp to themselves. Look at Runqsize first: it costs no lock.
		if pp.Schedtick%61 == 0 && s.Runqsize.Load() > 0 {
			s.Lock.Lock()
			gp := s.Globrunqget()
			s.Lock.Unlock()
			if gp != nil {
				return gp, false, false
			}
		}
		//course:step Then comes the queue of pp.
		if gp, inheritTime := s.Runqget(pp); gp != nil {
			return gp, inheritTime, false
		}
		//course:step It is empty, so there is room for a batch of the global queue: half a ring, at most.
		if s.Runqsize.Load() > 0 {
			s.Lock.Lock()
			gp := p.globrunqget(pp)
			s.Lock.Unlock()
			if gp != nil {
				return gp, false, false
			}
		}
		//course:step Ask others. If their timers have run, begin again; if one will be due, do not sleep longer than that.
		gp, inheritTime, now, w, newWork := s.StealWork(mp, now)
		if gp != nil {
			return gp, inheritTime, false
		}
		if newWork {
			continue
		}
		if w != 0 && (pollUntil == 0 || w < pollUntil) {
			pollUntil = w
		}
		//course:step There is nothing. Under the lock look once more at the global queue: who puts a G there afterwards finds pp on the list of idle Ps.
		s.Lock.Lock()
		if gp := p.globrunqget(pp); gp != nil {
			s.Lock.Unlock()
			return gp, false, false
		}
		s.Releasep(mp)
		now = s.Pidleput(pp, now)
		s.Lock.Unlock()
		//course:step Wait for the next timer, if there is one and no other M does so already (Sched.Netpolluntil). Then take an idle P again.
		if pollUntil != 0 {
			if list, polled := s.Netpolluntil(mp, pollUntil, now); polled {
				s.Lock.Lock()
				pp, _ := s.Pidleget(0)
				s.Lock.Unlock()
				if pp != nil {
					s.Acquirep(mp, pp)
					s.Injectglist(mp, list)
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
