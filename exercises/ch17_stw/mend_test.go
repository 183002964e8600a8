// This file is yours: what you write in it is kept. The task is in README.md
// beside it, and this command checks your code:
//
//	go run ./autograder test ch17

package ch17_test

import (
	"testing"

	suite "gosched/chapters/ch17_stw"
	"gosched/chapters/check"
	"gosched/chapters/gmp"
	"gosched/solutions"
)

// Three parts, each correct except for one method, with the interleaving in which it goes
// wrong. In each method:
//
//   - find the two steps, one in each thread, that must not meet as they do here; if several
//     steps of a thread qualify, the last. Name each by words that are in its row alone, in
//     the function below: check.Met{One: "…", Other: "…"}, in either order
//   - mend the method, with the smallest change that makes it correct.

// A correct part is that of the course; s is the scheduler.
type right struct {
	gmp.World
	s *gmp.Sched
}

// with is the part of the course with some methods replaced.
func with(mended func(right) gmp.World) gmp.Version {
	return gmp.Version{World: func(s *gmp.Sched) gmp.World {
		return mended(right{solutions.Base("ch17").World(s), s})
	}}
}

// waitMended lets a G wait for Worldsema.
type waitMended struct{ right }

// StopTheWorld lets a G be run by two Ms.
//
//	data race:
//	  M1 writes mp.Curg.Get().M, and M2 writes it as gp.M: neither waits for the other, so either value may be the one that remains
//	  nothing orders the two: there is no lock that both hold, no wake-up, and no atomic variable through which M2 would learn that M1 has done this
//	  M1: mp.Curg.Get().M.Set(nil) in Gopark, called by StopTheWorld, raceSema, mstart, Go
//	  M2: gp.M.Set(mp) in Execute, called by atOnce
//
//	       M0                    M1                    M2
//	       ─────────────────────────────────────────────────────────────────────────────────────────────
//	    1  s.Worldlock.Lock()  (worldsema)
//	    2  s.Worldsema.Load()  = 0
//	    3  s.Worldsema.Store(true)  0 → 1
//	    4  s.Worldlock.Unlock()  (worldsema)
//	       ── M0 is preempted ──────────────────────────────────────────────────────────────────────────
//	    5                        s.Worldlock.Lock()  (worldsema)
//	    6                        s.Worldsema.Load()  = 1
//	    7                        s.Worldlock.Unlock()  (worldsema)
//	    8                        gp.Atomicstatus.Load()  = 2
//	    9                        gp.Atomicstatus.CompareAndSwap(…)  2 → 4
//	                             mp.Curg.Get().M.Set(nil) ◀
//	   10                        mp.Curg.Set(nil)  G2 → nil
//	       ── M1 ends ──────────────────────────────────────────────────────────────────────────────────
//	   11  s.Worldlock.Lock()  (worldsema)
//	   12  s.Worldlock.Unlock()  (worldsema)
//	   13  gp.Atomicstatus.Load()  = 4
//	   14  gp.Atomicstatus.CompareAndSwap(oldval, newval)  4 → 1
//	   15  pp.M.Set(mp)  nil → M2
//	   16  pp.Status.Store(gmp.Prunning)  0 → 1
//	17-24  the G ends, and becomes another: gp.Atomicstatus 2 → 6, mp.Curg G1 → nil, gp.Preempt 0 → 0,
//	         gp.PreemptStop 0 → 0, locks sched.sudoglock
//	       ── M0 ends ──────────────────────────────────────────────────────────────────────────────────
//	   25                                              mp.Curg.Set(…)  nil → G2
//	                                                   gp.M.Set(mp) ◀
//
//	1 preemption; with fewer, nothing goes wrong
func (p waitMended) StopTheWorld(mp *gmp.M, gp *gmp.G, reason string, then func(s *gmp.Sched, mp *gmp.M, gp *gmp.G)) {
	s := p.s
	s.Worldlock.Lock()
	if s.Worldsema.Load() {
		gp.Cont.Set(func(s *gmp.Sched, mp *gmp.M, gp *gmp.G) {
			s.StopTheWorldWithSema(mp, reason)
			then(s, mp, gp)
		})
		s.Worldqueue.PushBack(gp)
		s.Worldlock.Unlock()
		s.Gopark(mp, gp, nil, nil, gmp.WaitReasonSemacquire)
		return
	}
	s.Worldsema.Store(true)
	s.Worldlock.Unlock()
	s.StopTheWorldWithSema(mp, reason)
	then(s, mp, gp)
}

// waitMet says which two steps met in StopTheWorld of waitMended.
func waitMet() check.Met {
	panic(gmp.TODO("waitMet"))
}

// lastMended stops a P.
type lastMended struct{ right }

// Gcstopm lets two Ms be the last one.
//
//	data race:
//	  M1 reads s.Stopwait, and M2 writes it: neither waits for the other, so M1 may see the old value or the new one
//	  nothing orders the two: there is no lock that both hold, and the last step of M1 that M2 has learned of is step 18, s.Lock.Unlock(), which came before this
//	  M1: s.Stopwait.Get() in Gcstopm, called by twoAreLast, mstart
//	  M2: s.Stopwait.Set(left) in Gcstopm, called by twoAreLast, mstart
//
//	       M0                    M1                    M2
//	       ─────────────────────────────────────────────────────────────────────────────────────────────
//	 1-10  StopTheWorldWithSema(…): locks sched.lock, s.Gcwaiting 0 → 1,
//	         pp.Status 1 → 3, pp.Status swap fails, finds 1, s.Stopnote.SleepTimeout(…)
//	       ── M0 yields ────────────────────────────────────────────────────────────────────────────────
//	   11                        s.Gcwaiting.Load()  = 1
//	   12                        s.Gcwaiting.Load()  = 1
//	   13                        s.Nmspinning.Add(-1)  3 → 2
//	   14                        pp.M.Set(nil)  M1 → nil
//	   15                        pp.Status.Store(gmp.Pidle)  1 → 0
//	   16                        s.Lock.Lock()  (sched.lock)
//	   17                        pp.Status.Store(gmp.Pgcstop)  0 → 3
//	   18                        s.Lock.Unlock()  (sched.lock)
//	                             s.Stopwait.Get() ◀
//	       ── M1 is preempted ──────────────────────────────────────────────────────────────────────────
//	   19                                              s.Gcwaiting.Load()  = 1
//	   20                                              s.Gcwaiting.Load()  = 1
//	   21                                              s.Nmspinning.Add(-1)  2 → 1
//	   22                                              pp.M.Set(nil)  M2 → nil
//	   23                                              pp.Status.Store(…)  1 → 0
//	   24                                              s.Lock.Lock()  (sched.lock)
//	   25                                              pp.Status.Store(…)  0 → 3
//	                                                   s.Stopwait.Set(left) ◀
//
//	1 preemption; with fewer, nothing goes wrong
func (p lastMended) Gcstopm(mp *gmp.M) {
	s := p.s
	if !s.Gcwaiting.Load() {
		s.Throw("gcstopm: not waiting for gc")
	}
	if mp.Spinning.Get() {
		mp.Spinning.Set(false)
		if s.Nmspinning.Add(-1) < 0 {
			s.Throw("gcstopm: negative nmspinning")
		}
	}
	pp := s.Releasep(mp)
	s.Lock.Lock()
	pp.Status.Store(gmp.Pgcstop)
	left := s.Stopwait.Get() - 1
	s.Stopwait.Set(left)
	s.Lock.Unlock()
	if s.Stopwait.Get() == 0 {
		s.Stopnote.Wakeup()
	}
	s.Stopm(mp)
}

// lastMet says which two steps met in Gcstopm of lastMended.
func lastMet() check.Met {
	panic(gmp.TODO("lastMet"))
}

// countMended runs a function at a safe point.
type countMended struct{ right }

// RunSafePointFn says too early that it is done.
//
//	data race:
//	  M1 writes n, and M0 reads it as c.ran[id]: neither waits for the other, so M0 may see the old value
//	  nothing orders the two: there is no lock that both hold, and the last step of M1 that M0 has learned of is step 23, s.Lock.Unlock(), which came before this
//	  M1: n.Set(n.Get() + 1) in each, called by RunSafePointFn, look, FindRunnable, …, mstart
//	  M0: c.ran[id].Get() in each
//
//	       M0                                  M1
//	       ─────────────────────────────────────────────────────────────────────────────────────────────
//	  1-3  ForEachP(…): locks sched.lock, p2.RunSafePointFn 0 → 1
//	  4-5  use(…): pp.Schedtick 0 → 1, pp.Syscalltick 0 → 1
//	  6-8  takeCalls(…): sees pp.RunSafePointFn = 1, locks sched.lock
//	    9  pp.Status.CompareAndSwap(gmp.Psyscall, gmp.Pgcstop)  fails, finds 1
//	   10  s.Lock.Unlock()  (sched.lock)
//	   11  s.SafePointNote.SleepTimeout(again)  = false
//	12-14  takeCalls(…): sees pp.RunSafePointFn = 1, locks sched.lock
//	   15  pp.Status.CompareAndSwap(gmp.Psyscall, gmp.Pgcstop)  fails, finds 1
//	   16  s.Lock.Unlock()  (sched.lock)
//	   17  s.SafePointNote.SleepTimeout(again)  = false
//	       ── M0 yields ────────────────────────────────────────────────────────────────────────────────
//	18-19                                      look(…):
//	                                             sees pp.RunSafePointFn = 1
//	20-23                                      RunSafePointFn(…):
//	                                             pp.RunSafePointFn 1 → 0, locks sched.lock,
//	                                             s.SafePointNote.Wakeup()
//	24-25                                      use(…): pp.Schedtick 0 → 1,
//	                                             pp.Syscalltick 0 → 1
//	                                           n.Set(n.Get() + 1) ◀
//	   26                                      pp.Runq[i].Load()  = nil
//	       ── M1 is preempted ──────────────────────────────────────────────────────────────────────────
//	27-28  takeCalls(…): sees pp.RunSafePointFn = 0
//	29-34  ForEachP(…): s.SafePointNote.SleepTimeout(…),
//	         s.SafePointNote.Clear(), locks sched.lock, sees p2.RunSafePointFn = 0
//	       c.ran[id].Get() ◀
//
//	1 preemption; with fewer, nothing goes wrong
func (p countMended) RunSafePointFn(pp *gmp.P, lockheld bool) {
	s := p.s
	if !pp.RunSafePointFn.CompareAndSwap(1, 0) {
		return
	}
	fn := s.SafePointFn.Get()
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
	fn(pp)
}

// countMet says which two steps met in RunSafePointFn of countMended.
func countMet() check.Met {
	panic(gmp.TODO("countMet"))
}

// TestMends runs the checks on what you have mended.
func TestMends(t *testing.T) {
	suite.Suite.TestMends(t, solutions.Base("ch17"), solutions.Mutants("ch17"), solutions.Mends("ch17"), map[string]check.Mending{
		"mend-wait":  {Part: with(func(r right) gmp.World { return waitMended{r} }), Met: waitMet},
		"mend-last":  {Part: with(func(r right) gmp.World { return lastMended{r} }), Met: lastMet},
		"mend-count": {Part: with(func(r right) gmp.World { return countMended{r} }), Met: countMet},
	})
}
