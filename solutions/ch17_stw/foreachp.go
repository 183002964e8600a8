package ch17

import "gosched/chapters/gmp"

// ForEachP runs fn on each P.
//
//course:exercise
func (p *world) ForEachP(mp *gmp.M, reason gmp.WaitReason, fn func(pp *gmp.P)) {
	//course:holds fn was called for each P, once, while nobody else used that P, and after ForEachP began.
	//course:question A P runs while you look at it, and is in a system call, or idle, a moment later. Who calls fn for it?
	//course:lead As in a stop there are Ps that need nobody, and others that must do it themselves. But nobody waits here, so those that you have been to go on, and change places.
	s, pp := p.s, mp.P.Get()
	//course:step As in StopTheWorldWithSema: mp's G must not be waited for.
	gp := mp.Curg.Get()
	if gp != nil {
		p.waits(gp, reason)
	}
	//course:step Say what is to be called, for how many, and only then for whom. And ask them to look.
	s.Lock.Lock()
	if s.SafePointWait.Get() != 0 {
		s.Throw("forEachP: sched.safePointWait != 0")
	}
	s.SafePointWait.Set(s.Gomaxprocs.Get() - 1)
	s.SafePointFn.Set(fn)
	for _, p2 := range s.Allp.Get() {
		if p2 != pp {
			p2.RunSafePointFn.Store(1)
		}
	}
	s.Preemptall(mp)
	//course:step The idle ones, while nobody can take them.
	for p2 := s.Pidle.Get(); p2 != nil; p2 = p2.Link.Get() {
		s.RunSafePointFn(p2, true)
	}
	s.Lock.Unlock()
	//course:step Your own.
	fn(pp)
	//course:step Those in system calls; and then wait for the rest, and ask and look again.
	p.takeCalls(mp)
	if s.Gomaxprocs.Get() > 1 {
		for !s.SafePointNote.SleepTimeout(again) {
			s.Preemptall(mp)
			p.takeCalls(mp)
		}
		s.SafePointNote.Clear()
	}
	//course:step Make sure.
	s.Lock.Lock()
	if s.SafePointWait.Get() != 0 {
		s.Throw("forEachP: not done")
	}
	for _, p2 := range s.Allp.Get() {
		if p2.RunSafePointFn.Load() != 0 {
			s.Throw("forEachP: P did not run fn")
		}
	}
	s.SafePointFn.Set(nil)
	s.Lock.Unlock()
	if gp != nil {
		s.Casgstatus(gp, gmp.Gwaiting, gmp.Grunning)
	}
}

// takeCalls calls the function for those Ps whose Ms are in system calls, and hands them off.
//
//course:omit
func (p *world) takeCalls(mp *gmp.M) {
	s := p.s
	for _, pp := range s.Allp.Get() {
		if pp.RunSafePointFn.Load() == 0 {
			continue
		}
		s.Lock.Lock()
		before := s.Stopwait.Get()
		won := s.GcstopSyscall(pp)
		if won {
			s.Stopwait.Set(before)
			s.RunSafePointFn(pp, true)
			pp.Status.Store(gmp.Pidle)
		}
		s.Lock.Unlock()
		if won {
			s.Handoffp(mp, pp)
		}
	}
}

// RunSafePointFn calls the function for pp, unless another M has.
//
//course:exercise
func (p *world) RunSafePointFn(pp *gmp.P, lockheld bool) {
	//course:holds Of all that try, one calls it; and when it is counted it was called.
	//course:step One of those that try wins.
	s := p.s
	if !pp.RunSafePointFn.CompareAndSwap(1, 0) {
		return
	}
	s.SafePointFn.Get()(pp)
	//course:step Count it when it is done. Whoever counts the last one wakes the one who waits.
	if !lockheld {
		s.Lock.Lock()
	}
	s.SafePointWait.Set(s.SafePointWait.Get() - 1)
	if s.SafePointWait.Get() == 0 {
		s.SafePointNote.Wakeup()
	}
	if !lockheld {
		s.Lock.Unlock()
	}
}
