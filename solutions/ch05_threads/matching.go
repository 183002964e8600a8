package ch05

import "gosched/chapters/gmp"

// matching gives a G to each M that may run one, under s.Lock.
type matching struct {
	s *gmp.Sched
}

// NewMatching makes the Matching of s.
func NewMatching(s *gmp.Sched) gmp.Matching { return &matching{s: s} }

// Matchmg gives Gs to Ms that do nothing yet. Each G is taken off the queue and
// handed to its M here, under the lock: so the M need not look for it, and no
// other M can take it away in between.
//
//course:exercise
func (p *matching) Matchmg(mp *gmp.M) {
	//course:holds When it returns, as many Ms run as may, or no G is queued; and each M that was given a G finds it.
	//course:question An M that you wake, or start, looks without waiting for the lock. What must hold by then?
	//course:lead Follow one G: where is it before, while and after its M is woken, and what could take it away? Follow Mcpu in the same way: what would happen if you were called again before the M has started?
	s := p.s
	//course:step As long as one more M may run, and there is a G for it.
	for s.Mcpu.Get() < s.Mcpumax.Get() {
		gp := s.Globrunqget()
		if gp == nil {
			return
		}
		//course:step The M that will run it counts from now on, although it does not run yet.
		s.Mcpu.Set(s.Mcpu.Get() + 1)
		//course:step Hand it to an idle M, and wake that M: first Nextg, then the note.
		if idle := s.Mget(); idle != nil {
			idle.Nextg.Set(gp)
			idle.Park.Wakeup()
			continue
		}
		//course:step If none is idle, start a new one, which takes gp as its Nextg before anything else.
		s.Newm(mp, func(newm *gmp.M) { newm.Nextg.Set(gp) }, nil, s.MReserveID())
	}
}

// NextGAndUnlock returns the G that mp is to run. Looking at the queue, finding it
// empty and joining the list of idle Ms is one step under the lock. So an M that
// queues a G comes before that step, and mp finds the G, or after it, and finds mp.
//
//course:exercise
func (p *matching) NextGAndUnlock(mp *gmp.M) *gmp.G {
	//course:holds Whoever has the lock finds mp counted in Mcpu or idle, and not idle while a G is queued that it may run.
	//course:question Another M queues a G and calls Matchmg as soon as the lock is free. In what state must it find mp, so that mp gets the G?
	//course:lead Three ways lead out of this method. What is Mcpu on each of them, before and afterwards, and where is the lock released?
	s := p.s
	//course:step A new M was given its G, and is already counted.
	if gp := nextg(mp); gp != nil {
		s.Lock.Unlock()
		return gp
	}
	//course:step Any other M has let go of its G, and no longer counts.
	s.Mcpu.Set(s.Mcpu.Get() - 1)
	//course:step If it may run, and there is a G, it counts again, and that is its G. (GOMAXPROCS may have been lowered meanwhile.)
	if s.Mcpu.Get() < s.Mcpumax.Get() {
		if gp := s.Globrunqget(); gp != nil {
			s.Mcpu.Set(s.Mcpu.Get() + 1)
			s.Lock.Unlock()
			return gp
		}
	}
	//course:step Otherwise it is idle. The lock may go only once the M is on the list; then sleep.
	s.Mput(mp)
	s.Lock.Unlock()
	s.MPark(mp)
	//course:step The M that woke it has given it a G, and counted it.
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
