package ch17_test

import (
	"slices"
	"testing"

	suite "gosched/chapters/ch17_stw"
	"gosched/chapters/gmp"
	"gosched/solutions"
	"gosched/solutions/ch17_stw"
)

// TestAlternatives plays the suite on other right solutions.
func TestAlternatives(t *testing.T) {
	alternatives := gcAlternatives()
	for name, wrap := range map[string]func(p base) gmp.World{
		"other-order":    func(p base) gmp.World { return otherOrder{p} },
		"counts-own":     func(p base) gmp.World { return countsOwn{p} },
		"takes-by-hand":  func(p base) gmp.World { return takesByHand{p} },
		"collects-first": func(p base) gmp.World { return collectsFirst{p} },
		"stops-briefly":  func(p base) gmp.World { return stopsBriefly{p} },
		"locks-briefly":  func(p base) gmp.World { return locksBriefly{p} },
		"own-first":      func(p base) gmp.World { return ownFirst{p} },
	} {
		alternatives[name] = gmp.Version{World: func(s *gmp.Sched) gmp.World { return wrap(base{ch17.NewWorld(s), s}) }}
	}
	suite.Suite.TestAlternatives(t, solutions.Base("ch17"), alternatives)
}

// base is what an alternative does not do otherwise.
type base struct {
	gmp.World
	s *gmp.Sched
}

// otherOrder stops idle Ps first and its own last, and counts in a variable.
type otherOrder struct{ base }

func (p otherOrder) StopTheWorldWithSema(mp *gmp.M, reason string) {
	s, gp := p.s, mp.Curg.Get()
	s.Lock.Lock()
	s.Gcwaiting.Store(true)
	left := s.Gomaxprocs.Get()
	for pp, _ := s.Pidleget(0); pp != nil; pp, _ = s.Pidleget(0) {
		pp.Status.Store(gmp.Pgcstop)
		left--
	}
	s.Stopwait.Set(left)
	if s.Version().Syscalls != nil {
		for _, pp := range s.Allp.Get() {
			if pp.Status.Load() == gmp.Psyscall {
				s.GcstopSyscall(pp)
			}
		}
	}
	s.Lock.Unlock()
	if gp != nil {
		gp.Waitreason.Set(gmp.WaitReasonStoppingTheWorld)
		s.Casgstatus(gp, gmp.Grunning, gmp.Gwaiting)
	}
	s.Lock.Lock()
	mp.P.Get().Status.Store(gmp.Pgcstop)
	asks := s.Version().Monitor != nil
	if asks {
		s.Preemptall(mp)
	}
	s.Stopwait.Set(s.Stopwait.Get() - 1)
	waits := s.Stopwait.Get() != 0
	s.Lock.Unlock()
	for waits {
		if s.Stopnote.SleepTimeout(100_000) {
			s.Stopnote.Clear()
			break
		}
		if asks {
			s.Preemptall(mp)
		}
	}
	if s.Stopwait.Get() != 0 {
		s.Throw("stopTheWorld: not stopped (stopwait != 0)")
	}
	for _, pp := range s.Allp.Get() {
		if st := pp.Status.Load(); st != gmp.Pgcstop {
			s.Throw("stopTheWorld: not stopped (status != _Pgcstop)")
		}
	}
	if gp != nil {
		s.Casgstatus(gp, gmp.Gwaiting, gmp.Grunning)
	}
}

// countsOwn counts the idle Ps itself, as the runtime does, and waits only if some are left.
type countsOwn struct{ base }

func (p countsOwn) ForEachP(mp *gmp.M, reason gmp.WaitReason, fn func(pp *gmp.P)) {
	s, gp := p.s, mp.Curg.Get()
	if gp != nil {
		gp.Waitreason.Set(reason)
		s.Casgstatus(gp, gmp.Grunning, gmp.Gwaiting)
	}
	s.Lock.Lock()
	if s.SafePointWait.Get() != 0 {
		s.Throw("forEachP: sched.safePointWait != 0")
	}
	s.SafePointFn.Set(fn)
	left := int32(0)
	for _, p2 := range s.Allp.Get() {
		if p2 != mp.P.Get() {
			left++
			p2.RunSafePointFn.Store(1)
		}
	}
	s.SafePointWait.Set(left)
	s.Preemptall(mp)
	for p2 := s.Pidle.Get(); p2 != nil; p2 = p2.Link.Get() {
		if p2.RunSafePointFn.CompareAndSwap(1, 0) {
			fn(p2)
			s.SafePointWait.Set(s.SafePointWait.Get() - 1)
		}
	}
	wait := s.SafePointWait.Get() > 0
	s.Lock.Unlock()
	for wait {
		for _, p2 := range s.Allp.Get() {
			if p2.RunSafePointFn.Load() == 1 && p2.Status.Load() == gmp.Psyscall {
				p.take(mp, p2)
			}
		}
		if s.SafePointNote.SleepTimeout(100_000) {
			s.SafePointNote.Clear()
			break
		}
		s.Preemptall(mp)
	}
	fn(mp.P.Get())
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

// take takes a P from a call.
func (p base) take(mp *gmp.M, pp *gmp.P) {
	s := p.s
	s.Lock.Lock()
	s.Stopwait.Set(s.Stopwait.Get() + 1)
	if !s.GcstopSyscall(pp) {
		s.Stopwait.Set(s.Stopwait.Get() - 1)
		s.Lock.Unlock()
		return
	}
	s.Lock.Unlock()
	s.RunSafePointFn(pp, false)
	pp.Status.Store(gmp.Pidle)
	s.Handoffp(mp, pp)
}

// takesByHand waits before it runs the function for its own P; and lets nobody else win.
type takesByHand struct{ base }

func (p takesByHand) RunSafePointFn(pp *gmp.P, lockheld bool) {
	s := p.s
	if pp.RunSafePointFn.Load() == 0 {
		return
	}
	pp.RunSafePointFn.Store(0) // pp is ours: nobody else tries
	fn := s.SafePointFn.Get()
	fn(pp)
	done := func() {
		left := s.SafePointWait.Get() - 1
		if s.SafePointWait.Set(left); left == 0 {
			s.SafePointNote.Wakeup()
		}
	}
	if lockheld {
		done()
		return
	}
	s.Lock.Lock()
	defer s.Lock.Unlock()
	done()
}

func (p takesByHand) Gcstopm(mp *gmp.M) {
	s := p.s
	if !s.Gcwaiting.Load() {
		s.Throw("gcstopm: not waiting for gc")
	}
	pp := s.Releasep(mp)
	if mp.Spinning.Get() {
		if s.Nmspinning.Add(-1) < 0 {
			s.Throw("gcstopm: negative nmspinning")
		}
		mp.Spinning.Set(false)
	}
	s.Lock.Lock()
	left := s.Stopwait.Get() - 1
	s.Stopwait.Set(left)
	pp.Status.Store(gmp.Pgcstop)
	s.Lock.Unlock()
	if left == 0 {
		s.Stopnote.Wakeup()
	}
	s.Stopm(mp)
}

// collectsFirst has all Ps with work in a list before it starts an M, for the last one first, and
// brings nothing if the network has nothing.
type collectsFirst struct{ base }

func (p collectsFirst) StartTheWorldWithSema(mp *gmp.M, now int64) int64 {
	s := p.s
	if list := s.Netpoll(mp, 0); list.Head != nil {
		s.Injectglist(mp, list)
	}
	if now == 0 {
		now = s.Nanotime()
	}
	s.Lock.Lock()
	n := s.Newprocs.Get()
	s.Newprocs.Set(0)
	if n == 0 {
		n = s.Gomaxprocs.Get()
	}
	var work []*gmp.P
	for pp := s.Procresize(mp, n); pp != nil; pp = pp.Link.Get() {
		work = append(work, pp)
	}
	for _, pp := range work {
		pp.Link.Set(nil)
	}
	if s.Sysmonwait.Load() {
		s.Sysmonnote.Wakeup()
		s.Sysmonwait.Store(false)
	}
	s.Gcwaiting.Store(false)
	s.Lock.Unlock()
	for _, pp := range slices.Backward(work) {
		s.Startm(mp, pp, false, false)
	}
	s.Wakep(mp)
	return now
}

// stopsBriefly takes Worldsema by a compare-and-swap where nobody waits, and keeps the queue in
// order all the same. A G goes there when it has parked.
type stopsBriefly struct{ base }

func (p stopsBriefly) StopTheWorld(mp *gmp.M, gp *gmp.G, reason string, then func(s *gmp.Sched, mp *gmp.M, gp *gmp.G)) {
	s := p.s
	goes := func(s *gmp.Sched, mp *gmp.M, gp *gmp.G) {
		s.StopTheWorldWithSema(mp, reason)
		then(s, mp, gp)
	}
	s.Worldlock.Lock()
	if s.Worldsema.CompareAndSwap(false, true) {
		s.Worldlock.Unlock()
		goes(s, mp, gp)
		return
	}
	gp.Cont.Set(goes)
	s.Gopark(mp, gp, func(gp *gmp.G, _ any) bool {
		s.Worldqueue.PushBack(gp)
		s.Worldlock.Unlock()
		return true
	}, &s.Worldlock, gmp.WaitReasonSemacquire)
}

func (p stopsBriefly) StartTheWorld(mp *gmp.M) {
	s := p.s
	s.StartTheWorldWithSema(mp, s.Nanotime())
	s.Worldlock.Lock()
	if next := s.Worldqueue.Pop(); next != nil {
		s.Worldlock.Unlock()
		s.Goready(mp, next)
		return
	}
	s.Worldsema.Store(false)
	s.Worldlock.Unlock()
}

// locksBriefly gives the lock back after each P, and takes it to ask again. Its own P is
// counted last, so that nobody else can be the last one before it sleeps.
type locksBriefly struct{ base }

func (p locksBriefly) StopTheWorldWithSema(mp *gmp.M, reason string) {
	s, gp := p.s, mp.Curg.Get()
	if gp != nil {
		gp.Waitreason.Set(gmp.WaitReasonStoppingTheWorld)
		s.Casgstatus(gp, gmp.Grunning, gmp.Gwaiting)
	}
	locked := func(f func()) {
		s.Lock.Lock()
		defer s.Lock.Unlock()
		f()
	}
	asks := s.Version().Monitor != nil
	locked(func() {
		s.Stopwait.Set(s.Gomaxprocs.Get())
		s.Gcwaiting.Store(true)
		if asks {
			s.Preemptall(mp)
		}
	})
	for found := true; found; {
		locked(func() {
			var pp *gmp.P
			if pp, _ = s.Pidleget(0); pp != nil {
				p.stop(pp)
			}
			found = pp != nil
		})
	}
	if s.Version().Syscalls != nil {
		for _, pp := range s.Allp.Get() {
			locked(func() { s.GcstopSyscall(pp) })
		}
	}
	left := int32(0)
	locked(func() { left = p.stop(mp.P.Get()) })
	for left > 0 && !s.Stopnote.SleepTimeout(100_000) {
		if asks {
			locked(func() { s.Preemptall(mp) })
		}
	}
	if left > 0 {
		s.Stopnote.Clear()
	}
	locked(func() {
		if s.Stopwait.Get() != 0 {
			s.Throw("stopTheWorld: not stopped (stopwait != 0)")
		}
		for _, pp := range s.Allp.Get() {
			if pp.Status.Load() != gmp.Pgcstop {
				s.Throw("stopTheWorld: not stopped (status != _Pgcstop)")
			}
		}
	})
	if gp != nil {
		s.Casgstatus(gp, gmp.Gwaiting, gmp.Grunning)
	}
}

// stop stops pp and returns how many are left. s.Lock is held.
func (p locksBriefly) stop(pp *gmp.P) int32 {
	left := p.s.Stopwait.Get() - 1
	p.s.Stopwait.Set(left)
	pp.Status.Store(gmp.Pgcstop)
	return left
}

// ownFirst calls the function for its own P before it says anything to others, and takes all Ps
// from their calls with the lock held once; it hands them off together.
type ownFirst struct{ base }

func (p ownFirst) ForEachP(mp *gmp.M, reason gmp.WaitReason, fn func(pp *gmp.P)) {
	s, gp := p.s, mp.Curg.Get()
	if gp != nil {
		gp.Waitreason.Set(reason)
		s.Casgstatus(gp, gmp.Grunning, gmp.Gwaiting)
	}
	fn(mp.P.Get())
	var others []*gmp.P
	for _, p2 := range s.Allp.Get() {
		if p2 != mp.P.Get() {
			others = append(others, p2)
		}
	}
	s.Lock.Lock()
	if s.SafePointWait.Get() != 0 {
		s.Throw("forEachP: sched.safePointWait != 0")
	}
	s.SafePointFn.Set(fn)
	s.SafePointWait.Set(int32(len(others)))
	for i := len(others) - 1; i >= 0; i-- {
		others[i].RunSafePointFn.Store(1)
	}
	s.Preemptall(mp)
	for p2 := s.Pidle.Get(); p2 != nil; p2 = p2.Link.Get() {
		s.RunSafePointFn(p2, true)
	}
	taken := p.takeAll(others)
	s.Lock.Unlock()
	for done := len(others) == 0; !done; {
		for _, p2 := range taken {
			s.Handoffp(mp, p2)
		}
		if done = s.SafePointNote.SleepTimeout(100_000); done {
			s.SafePointNote.Clear()
			continue
		}
		s.Lock.Lock()
		s.Preemptall(mp)
		taken = p.takeAll(others)
		s.Lock.Unlock()
	}
	s.Lock.Lock()
	if s.SafePointWait.Get() != 0 {
		s.Throw("forEachP: not done")
	}
	s.Lock.Unlock()
	for _, p2 := range others {
		if p2.RunSafePointFn.Load() != 0 {
			s.Throw("forEachP: P did not run fn")
		}
	}
	s.SafePointFn.Set(nil)
	if gp != nil {
		s.Casgstatus(gp, gmp.Gwaiting, gmp.Grunning)
	}
}

// takeAll takes those of pps that are in calls, and calls the function for them. s.Lock is held.
func (p ownFirst) takeAll(pps []*gmp.P) []*gmp.P {
	s := p.s
	var taken []*gmp.P
	for _, pp := range pps {
		if pp.RunSafePointFn.Load() == 1 && s.GcstopSyscall(pp) {
			s.Stopwait.Set(s.Stopwait.Get() + 1)
			s.RunSafePointFn(pp, true)
			pp.Status.Store(gmp.Pidle)
			taken = append(taken, pp)
		}
	}
	return taken
}
