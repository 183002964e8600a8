package ch08

import "gosched/chapters/gmp"

// fairTick is how many time slices lie between two looks at the global queue. The
// runtime has the same number, and does not say why.
const fairTick = 61

// sources are where a P finds work without asking another P.
type sources struct {
	s *gmp.Sched
}

// NewSources makes the Sources of s.
func NewSources(s *gmp.Sched) gmp.Sources { return &sources{s: s} }

// Nearby returns a G that mp's P has, or that waits for any P.
//
//course:exercise
func (p *sources) Nearby(mp *gmp.M) (gp *gmp.G, inheritTime bool) {
	//course:holds It returns nil only if each of the places had nothing when it was looked at; and it takes s.Lock only while Runqsize says that there is something.
	//course:question Runqsize was true a moment ago. What if others have been faster?
	s := p.s
	pp := mp.P.Get()
	//course:step Every 61st time slice begins with one G from the global queue, if there is any. Otherwise Gs that keep finding each other in the ring could keep pp to themselves. Look at Runqsize first: it costs no lock.
	if pp.Schedtick.Get()%fairTick == 0 && s.Runqsize.Load() > 0 {
		s.Lock.Lock()
		gp := s.Globrunqget()
		s.Lock.Unlock()
		if gp != nil {
			return gp, false
		}
	}
	//course:step Then comes the queue of pp.
	if gp, inheritTime := s.Runqget(pp); gp != nil {
		return gp, inheritTime
	}
	//course:step It is empty, so there is room for a batch from the global queue. Again, Runqsize says whether it is worth the lock.
	if s.Runqsize.Load() > 0 {
		s.Lock.Lock()
		gp := s.Globrunqgetlocal(pp)
		s.Lock.Unlock()
		if gp != nil {
			return gp, false
		}
	}
	//course:step Then the network, without waiting: if a G waits for it (NetpollAnyWaiters), and no M already polls (Lastpoll is not 0). The first G that it has is now runnable, and belongs to mp; the others are for Injectglist.
	if s.NetpollAnyWaiters() && s.Lastpoll.Load() != 0 {
		list := s.Netpoll(mp, 0)
		if gp := list.Pop(); gp != nil {
			s.Injectglist(mp, list)
			s.Casgstatus(gp, gmp.Gwaiting, gmp.Grunnable)
			return gp, false
		}
	}
	return nil, false
}

// Globrunqgetlocal takes a batch from the global queue for pp.
//
//course:exercise
func (p *sources) Globrunqgetlocal(pp *gmp.P) *gmp.G {
	//course:holds pp has its share, and room for what it makes ready itself; the other Ps find the rest.
	s := p.s
	//course:step Nothing left? Look at the queue itself: under the lock that is exact.
	if s.Runq.Get().Size == 0 {
		return nil
	}
	//course:step Half a ring at most, so that pp can queue what it makes ready meanwhile. The first runs at once; there must be room for the others, since the ring is empty.
	gp, q := s.Globrunqgetbatch(int32(len(pp.Runq) / 2))
	if s.Runqputbatch(pp, q).Size > 0 {
		s.Throw("globrunqget: no room for Gs in an empty run queue")
	}
	return gp
}
