// This file is yours: what you write in it is kept. The task is in README.md
// beside it, and this command checks your code:
//
//	go run ./autograder test ch10

package ch10_test

import (
	"testing"

	suite "gosched/chapters/ch10_spin"
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
	gmp.Wakeups
	s *gmp.Sched
}

// with is the part of the course with some methods replaced.
func with(mended func(right) gmp.Wakeups) gmp.Version {
	return gmp.Version{Wakeups: func(s *gmp.Sched) gmp.Wakeups {
		return mended(right{solutions.Base("ch10").Wakeups(s), s})
	}}
}

// wakeMended brings an M that spins, if none does.
type wakeMended struct{ right }

// Wakep wakes two Ms where one would do.
//
//	violated check:
//	  two Ms call Wakep at the same time, two Ps are idle, and no M spins: 2 Ms are woken; want one, which wakes the next if it finds work
//
//	       M0            M1            M2            M3
//	       ─────────────────────────────────────────────────────────────────────────────────────────────
//	    1  s.Nmspinning.Load()  = 0
//	       ── M0 is preempted ──────────────────────────────────────────────────────────────────────────
//	  2-8                wakesSomebody(…): s.Nmspinning 0 → 1, locks sched.lock,
//	                       s.Npidle 2 → 1
//	       ── M1 stands before its first step ──────────────────────────────────────────────────────────
//	    9  s.Nmspinning.Add(1)  1 → 2
//	   10  s.Lock.Lock()  (sched.lock)
//	   11  s.Npidle.Add(-1)  1 → 0
//	   12  s.Lock.Unlock()  (sched.lock)
//	   13  s.Lock.Lock()  (sched.lock)
//	   14  s.Lock.Unlock()  (sched.lock)
//	       ── M0 stands before its first step ──────────────────────────────────────────────────────────
//	15-17                              Acquirep(…): pp.M nil → M2,
//	                                     pp.Schedtick 0 → 1, pp.Syscalltick 0 → 1
//	       ── M2 ends ──────────────────────────────────────────────────────────────────────────────────
//	18-20                                            Acquirep(…): pp.M nil → M3,
//	                                                   pp.Schedtick 0 → 1, pp.Syscalltick 0 → 1
//
//	1 preemption; with fewer, nothing goes wrong
func (p wakeMended) Wakep(mp *gmp.M) {
	s := p.s
	if s.Nmspinning.Load() != 0 {
		return
	}
	s.Nmspinning.Add(1)
	s.Lock.Lock()
	pp, _ := s.PidlegetSpinning(mp, 0)
	if pp == nil {
		s.Nmspinning.Add(-1)
	}
	s.Lock.Unlock()
	if pp != nil {
		s.Startm(mp, pp, true, false)
	}
}

// wakeMet says which two steps met in Wakep of wakeMended.
func wakeMet() check.Met {
	panic(gmp.TODO("wakeMet"))
}

// resetMended ends the spinning of an M that has found a G.
type resetMended struct{ right }

// Resetspinning leaves a G beside an idle P. M0 makes the second of two Gs ready, M1 has come
// for the first and runs it. It must call Wakep in any case, as its contract says.
//
//	violated check:
//	  a G was made ready, and no M came to run it: it waits for ever, beside an idle P
//
//	       M0                                  M1
//	       ─────────────────────────────────────────────────────────────────────────────────────────────
//	    1                                      pp.M.Set(mp)  nil → M1
//	    2                                      pp.Runq[i].Load()  = nil
//	    3                                      pp.Runq[i].Load()  = nil
//	    4                                      pp.Runq[i].Load()  = nil
//	    5                                      pp.Runq[i].Load()  = nil
//	    6                                      p.s.Runqsize.Load()  = 0
//	    7                                      pp.Runq[i].Load()  = G1
//	    8                                      pp.Runq[i].CompareAndSwap(gp, nil)
//	                                             G1 → nil
//	    9                                      s.Runqsize.Load()  = 0
//	   10                                      pp.Runq[i].Load()  = nil
//	       … and so on, 5 times
//	       ── M1 is preempted ──────────────────────────────────────────────────────────────────────────
//	   16  pp.M.Set(mp)  nil → M0
//	17-20  Ready(…): gp.Atomicstatus 4 → 1, pp.Runq[i] nil → G2,
//	         sees s.Nmspinning = 1
//	       ── M0 ends ──────────────────────────────────────────────────────────────────────────────────
//	   21                                      s.Nmspinning.Add(-1)  1 → 0
//	   22                                      mp.Curg.Set(gp)  nil → G1
//	   23                                      gp.Preempt.Set(false)  0 → 0
//	   24                                      gp.Sched.Guard.Store(…)  0 → 64
//	   25                                      gp.Atomicstatus.CompareAndSwap(…)
//	                                             1 → 2
//	   26                                      mp.P.Get().Schedtick.Set(…)  0 → 1
//
//	1 preemption; with fewer, nothing goes wrong
func (p resetMended) Resetspinning(mp *gmp.M) {
	s := p.s
	if !mp.Spinning.Get() {
		s.Throw("resetspinning: not a spinning m")
	}
	more := s.Runqsize.Load() > 0
	for _, pp := range s.Allp.Get() {
		more = more || !s.Runqempty(pp)
	}
	mp.Spinning.Set(false)
	if s.Nmspinning.Add(-1) < 0 {
		s.Throw("resetspinning: negative nmspinning")
	}
	if more {
		s.Wakep(mp)
	}
}

// resetMet says which two steps met in Resetspinning of resetMended.
func resetMet() check.Met {
	panic(gmp.TODO("resetMet"))
}

// stopMended lets an M sleep until it is given a P.
type stopMended struct{ right }

// Stopm sleeps for ever. MPark clears the note after it has been signalled.
//
//	violated check:
//	  a G was made ready, and no M came to run it: it waits for ever, and no P is idle
//
//	       M0                                  M1
//	       ─────────────────────────────────────────────────────────────────────────────────────────────
//	    1                                      pp.M.Set(mp)  nil → M1
//	    2                                      s.Gcwaiting.Load()  = 0
//	    3                                      pp.Runq[i].Load()  = nil
//	    4                                      p.s.Runqsize.Load()  = 0
//	    5                                      s.Nmspinning.Load()  = 0
//	    6                                      s.Npidle.Load()  = 0
//	    7                                      p.s.Nmspinning.Add(1)  0 → 1
//	    8                                      p.s.Needspinning.Store(false)  0 → 0
//	    9                                      pp.Runq[i].Load()  = nil
//	   10                                      s.Lock.Lock()  (sched.lock)
//	   11                                      s.Gcwaiting.Load()  = 0
//	   12                                      pp.M.Set(nil)  M1 → nil
//	   13                                      s.Npidle.Add(1)  0 → 1
//	   14                                      s.Lock.Unlock()  (sched.lock)
//	   15                                      s.Nmspinning.Add(-1)  1 → 0
//	   16                                      s.Lock.Lock()  (sched.lock)
//	   17                                      s.Lock.Unlock()  (sched.lock)
//	   18                                      pp.Runq[i].Load()  = nil
//	   19                                      pp.Runq[i].Load()  = nil
//	   20                                      s.Lock.Lock()  (sched.lock)
//	   21                                      s.Lock.Unlock()  (sched.lock)
//	       ── M1 is preempted ──────────────────────────────────────────────────────────────────────────
//	   22  pp.M.Set(mp)  nil → M0
//	23-34  locally(…): gp.Atomicstatus 4 → 1, pp.Runq[i] nil → G1,
//	         s.Nmspinning 0 → 1, locks sched.lock, s.Npidle 1 → 0, nmp.Park.Wakeup()
//	       ── M0 waits ─────────────────────────────────────────────────────────────────────────────────
//	   35                                      mp.Park.Clear()
//
//	1 preemption; with fewer, nothing goes wrong
func (p stopMended) Stopm(mp *gmp.M) {
	s := p.s
	if mp.P.Get() != nil {
		s.Throw("stopm holding p")
	}
	if mp.Spinning.Get() {
		s.Throw("stopm spinning")
	}
	s.Lock.Lock()
	s.Mput(mp)
	s.Lock.Unlock()
	mp.Park.Clear()
	s.MPark(mp)
	s.Acquirep(mp, mp.Nextp.Get())
	mp.Nextp.Set(nil)
}

// stopMet says which two steps met in Stopm of stopMended.
func stopMet() check.Met {
	panic(gmp.TODO("stopMet"))
}

// TestMends runs the checks on what you have mended.
func TestMends(t *testing.T) {
	suite.Suite.TestMends(t, solutions.Base("ch10"), solutions.Mutants("ch10"), solutions.Mends("ch10"), map[string]check.Mending{
		"mend-wake":  {Part: with(func(r right) gmp.Wakeups { return wakeMended{r} }), Met: wakeMet},
		"mend-reset": {Part: with(func(r right) gmp.Wakeups { return resetMended{r} }), Met: resetMet},
		"mend-stop":  {Part: with(func(r right) gmp.Wakeups { return stopMended{r} }), Met: stopMet},
	})
}
