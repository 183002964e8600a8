package ch05

import "gosched/chapters/gmp"

// matching gives each M that may run a G, under s.Lock.
type matching struct {
	s *gmp.Sched
}

// NewMatching makes the Matching of s.
func NewMatching(s *gmp.Sched) gmp.Matching { return &matching{s: s} }

// Matchmg gives Gs to Ms that do nothing yet. Each G is taken off the queue and
// handed to its M here, under the lock: so the M need not look for it, and nobody
// can take it away in between.
//
//course:exercise
func (p *matching) Matchmg(mp *gmp.M) {
	//course:holds When it returns as many Ms run as may, or no G is queued; and each M that was given a G finds it.
	//course:question An M that you wake, or start, does not wait for the lock before it looks. What must be so by then?
	//course:lead Follow one G: where is it before, while and after its M is woken, and who could take it away? Follow Mcpu in the same way: what would happen if you were asked again before the M has begun?
	s := p.s
	//course:step As long as one more M may run, and there is a G for it.
	for s.Mcpu.Get() < s.Mcpumax.Get() {
		gp := s.Globrunqget()
		if gp == nil {
			return
		}
		//course:step The M that will run it counts from now on, although it does not run yet.
		s.Mcpu.Set(s.Mcpu.Get() + 1)
		//course:step Hand it to an M that is idle, and wake that: first Nextg, then the note.
		if idle := s.Mget(); idle != nil {
			idle.Nextg.Set(gp)
			idle.Park.Wakeup()
			continue
		}
		//course:step If none is idle, start a new one, which takes gp as its Nextg before anything else.
		s.Newm(mp, func(newm *gmp.M) { newm.Nextg.Set(gp) }, nil, s.MReserveID())
	}
}

// NextGAndUnlock returns the G that mp shall run. To look at the queue, to find it
// empty and to lie down on the list of idle Ms is one step under the lock. So whoever
// queues a G comes before that step, and mp finds the G, or after it, and finds mp.
//
//course:exercise
func (p *matching) NextGAndUnlock(mp *gmp.M) *gmp.G {
	//course:holds Whoever has the lock finds mp counted in Mcpu or idle, and not idle while a G is queued that it may run.
	//course:question Another M queues a G and calls Matchmg as soon as the lock is free. What must it find of mp, so that mp gets the G?
	//course:lead Three ways lead out of this method. What is Mcpu on each of them before and afterwards, and where is the lock given back?
	s := p.s
	//course:step A new M was given its G, and is counted already.
	if gp := nextg(mp); gp != nil {
		s.Lock.Unlock()
		return gp
	}
	//course:step Any other has let go of its G, and does not count any more.
	s.Mcpu.Set(s.Mcpu.Get() - 1)
	//course:step If it may run, and there is a G, it counts again, and that is its G. (GOMAXPROCS may have become less meanwhile.)
	if s.Mcpu.Get() < s.Mcpumax.Get() {
		if gp := s.Globrunqget(); gp != nil {
			s.Mcpu.Set(s.Mcpu.Get() + 1)
			s.Lock.Unlock()
			return gp
		}
	}
	//course:step Otherwise it is idle. Only when it is on the list may the lock go; then sleep.
	s.Mput(mp)
	s.Lock.Unlock()
	s.MPark(mp)
	//course:step Whoever woke it has given it a G, and counted it.
	gp := nextg(mp)
	if gp == nil {
		s.Throw("bad m->nextg in nextgoroutine")
	}
	return gp
}

// nextg takes the G that mp was given, nil if there is none.
//
//course:omit
func nextg(mp *gmp.M) *gmp.G {
	gp := mp.Nextg.Get()
	mp.Nextg.Set(nil)
	return gp
}
