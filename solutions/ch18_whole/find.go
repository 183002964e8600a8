// Package ch18 is the whole scheduler: chapter 18, Go 1.26.
//
// Each source of work has had a chapter of its own. Here is the one function that asks all of them,
// in an order that a good program never notices and a bad one depends on; and what the sources
// need so that asking is cheap: a bit for each P that says whether it is worth a look.
package ch18

import "gosched/chapters/gmp"

// Parts are the parts of this chapter.
var Parts = gmp.Version{
	Finder:   NewFinder,
	Loop:     NewLoop,
	Stealing: NewStealing,
	Masks:    NewMasks,
	Deadlock: NewDeadlock,
	Syscalls: NewSyscalls,
}

// finder looks for work wherever there may be some.
type finder struct {
	s *gmp.Sched
}

// NewFinder makes the Finder of s in the form of this chapter.
func NewFinder(s *gmp.Sched) gmp.Finder { return &finder{s: s} }

// FindRunnable returns a G for mp.
//
//course:exercise
func (p *finder) FindRunnable(mp *gmp.M) (gp *gmp.G, inheritTime, tryWakeP bool) {
	//course:holds Whatever becomes runnable, and whichever source it is in, is found by mp; or whoever put it there sees that no M looks for work, and wakes one.
	//course:question For each of the ten steps: who puts something there, and at what does that M look afterwards? Which of your steps does it meet?
	//course:lead Write down for each source who notices it when mp has just looked there for the last time. For three of them that is another M, for one it is the M that waits for the network, and for one the M that gives its P back.
	s := p.s
	for !s.Exited() {
		//course:step Stop if the world is to stop. Otherwise run the function of a ragged barrier, if there is one: mp runs no G, so this is a safe point.
		if s.Gcwaiting.Load() {
			s.Gcstopm(mp)
			continue
		}
		pp := mp.P.Get()
		if pp.RunSafePointFn.Load() != 0 {
			s.RunSafePointFn(pp, false)
		}
		//course:step The timers of its P. And, if a collection marks, a worker, which comes before all that is ordinary; it is not, so another P should be woken for the others.
		now, pollUntil, _ := s.CheckTimers(mp, pp, 0)
		if s.GcController.BlackenEnabled.Load() {
			var worker *gmp.G
			if worker, now = s.FindRunnableGCWorker(mp, pp, now); worker != nil {
				return worker, false, true
			}
		}
		//course:step At each 61st tick the global queue comes before the local one, for one G. And if the finalizer goroutine has work, make it ready: it is then among those that are nearby.
		if pp.Schedtick.Get()%61 == 0 && s.Runqsize.Load() > 0 {
			s.Lock.Lock()
			gp := s.Globrunqget()
			s.Lock.Unlock()
			if gp != nil {
				return gp, false, false
			}
		}
		if fing := s.Wakefing(); fing != nil {
			s.Ready(mp, fing, true)
		}
		//course:step The local queue, and then a batch from the global one.
		if gp, inheritTime := s.Runqget(pp); gp != nil {
			return gp, inheritTime, false
		}
		if s.Runqsize.Load() > 0 {
			s.Lock.Lock()
			gp := s.Globrunqgetlocal(pp)
			s.Lock.Unlock()
			if gp != nil {
				return gp, false, false
			}
		}
		//course:step The network, without waiting; one M at a time, and none if one waits there anyway: many that ask the kernel only get in each other's way.
		if s.NetpollAnyWaiters() && s.Lastpoll.Load() != 0 && !s.PollingNet.Swap(true) {
			list := s.Netpoll(mp, 0)
			s.PollingNet.Store(false)
			if gp := p.first(mp, list); gp != nil {
				return gp, false, false
			}
		}
		//course:step Steal, if mp spins or may begin to: no more than half as many as there are busy Ps.
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
		//course:step There is nothing to run. Then mark, if there is something to mark: better than to let the P be idle.
		if worker := s.IdleGCWorker(mp, pp); worker != nil {
			return worker, false, false
		}
		//course:step Keep what the Ps and their masks are: without a P mp does not stop for a stopping world, and they may change.
		allp, idlepmask, timerpmask := s.Allp.Get(), s.Idlepmask.Get(), s.Timerpmask.Get()
		//course:step Under the lock: the world, and the function; the global queue; and a request for a spinner. Then give the P back.
		s.Lock.Lock()
		if s.Gcwaiting.Load() || pp.RunSafePointFn.Load() != 0 {
			s.Lock.Unlock()
			continue
		}
		if gp := s.Globrunqgetlocal(pp); gp != nil {
			s.Lock.Unlock()
			return gp, false, false
		}
		if !mp.Spinning.Get() && s.Needspinning.Load() {
			s.BecomeSpinning(mp)
			s.Lock.Unlock()
			continue
		}
		s.Releasep(mp)
		now = s.Pidleput(pp, now)
		s.Lock.Unlock()
		//course:step If mp has been spinning: first out of the count, and then look at everything once more. With a P for what there is, it spins again.
		wasSpinning := p.unspin(mp)
		if wasSpinning {
			gp, pp := p.recheck(mp, allp, idlepmask)
			if pp != nil {
				s.Acquirep(mp, pp)
				s.BecomeSpinning(mp)
				if gp != nil {
					return gp, false, false
				}
				continue
			}
			//course:step Timers, too: of those Ps that may have some.
			pollUntil = s.CheckTimersNoP(mp, s.TimerPs(allp, timerpmask), pollUntil)
		}
		//course:step Wait for the next timer and the network, if there is something to wait for. Of all Ms that come here one waits: the one that swaps Lastpoll from a time to 0. The others tell it if it would wait for too long.
		if pollUntil != 0 || s.NetpollAnyWaiters() {
			if s.Lastpoll.Swap(0) != 0 {
				list := p.wait(mp, pollUntil, now)
				//course:step It needs a P for what has come. Then it runs the first of these Gs itself; without a P all of them are for others.
				s.Lock.Lock()
				pp, _ := s.Pidleget(0)
				s.Lock.Unlock()
				if pp != nil {
					s.Acquirep(mp, pp)
					if gp := p.first(mp, list); gp != nil {
						return gp, false, false
					}
					if wasSpinning {
						s.BecomeSpinning(mp)
					}
					continue
				}
				s.Injectglist(mp, list)
			} else if until := s.PollUntil.Load(); pollUntil != 0 && (until == 0 || until > pollUntil) {
				s.NetpollBreak()
			}
		}
		//course:step Or sleep, until an M brings a P.
		s.Stopm(mp)
	}
	return nil, false, false
}

// first takes the first G of what the network has, nil if that is nothing, and has the others
// queued. mp has a P.
//
//course:omit
func (p *finder) first(mp *gmp.M, list gmp.GList) *gmp.G {
	if list.Head == nil {
		return nil
	}
	gp := list.Pop()
	p.s.Injectglist(mp, list)
	p.s.Casgstatus(gp, gmp.Gwaiting, gmp.Grunnable)
	return gp
}

// unspin takes mp out of the count of Ms that spin, and reports whether it was one.
//
//course:omit
func (p *finder) unspin(mp *gmp.M) (was bool) {
	if !mp.Spinning.Get() {
		return false
	}
	mp.Spinning.Set(false)
	if p.s.Nmspinning.Add(-1) < 0 {
		p.s.Throw("findRunnable: negative nmspinning")
	}
	return true
}

// recheck looks everywhere for mp, which has given back its P and no longer spins. If there is
// work, and an idle P, it returns that P, and the G if it has taken one.
//
//course:omit
func (p *finder) recheck(mp *gmp.M, allp []*gmp.P, idlepmask gmp.PMask) (*gmp.G, *gmp.P) {
	s := p.s
	s.Lock.Lock()
	if s.Runq.Get().Size > 0 {
		if pp, _ := s.PidlegetSpinning(mp, 0); pp != nil {
			gp := s.Globrunqgetlocal(pp)
			s.Lock.Unlock()
			return gp, pp
		}
	}
	s.Lock.Unlock()
	if pp := s.CheckRunqsNoP(mp, s.BusyPs(allp, idlepmask)); pp != nil {
		return nil, pp
	}
	pp, worker := s.CheckIdleGCNoP(mp)
	return worker, pp
}

// wait waits for the network until the time pollUntil, for ever if that is 0, and returns what has
// come. mp is the one that has found Lastpoll not 0. From then on whoever sets a timer finds it
// 0, and breaks the wait if PollUntil is later, or 0: so until PollUntil is there, in any case.
//
//course:omit
func (p *finder) wait(mp *gmp.M, pollUntil, now int64) gmp.GList {
	s := p.s
	s.PollUntil.Store(pollUntil)
	delay := int64(-1)
	if pollUntil != 0 {
		delay = max(pollUntil-now, 0)
	}
	list := s.Netpoll(mp, delay)
	s.PollUntil.Store(0)
	s.Lastpoll.Store(max(s.Nanotime(), 1)) // not 0: nobody waits
	return list
}
