// This file is yours: what you write in it is kept. The task is in README.md
// beside it, and this command checks your code:
//
//	go run ./autograder test ch05

package ch05_test

import (
	"testing"

	suite "gosched/chapters/ch05_threads"
	"gosched/chapters/check"
	"gosched/chapters/gmp"
	"gosched/solutions"
)

// Three parts, each correct except for one method, with the interleaving in which it goes
// wrong. In each method:
//
//   - find the two steps, one in each thread, that must not meet as they do here. Name each
//     by words that are in its row alone, in the function below:
//     check.Met{One: "…", Other: "…"}, in either order
//   - mend the method, with the smallest change that makes it correct.

// matchMended gives Gs to idle Ms. When there are none left, the correct one goes
// on.
type matchMended struct {
	gmp.Matching
	s *gmp.Sched
}

// Matchmg wakes an M and gives it a G, and the M may find none.
//
//	data race:
//	  M1 writes idle.Nextg, and M0 reads it as mp.Nextg: neither waits for the other, so M0 may see the old value
//	  nothing orders the two: there is no lock that both hold, and the last step of M1 that M0 has learned of is step 32, idle.Park.Wakeup(), which came before this
//	  M1: idle.Nextg.Set(s.Globrunqget()) in Matchmg, called by submit, Ready, readiesAndStays, …, Loops
//	  M0: mp.Nextg.Get() in nextg, called by NextGAndUnlock, Schedule, mstart, Run, Loops
//
//	       M0                    M1                    M2
//	       ─────────────────────────────────────────────────────────────────────────────────────────────
//	  1-5  Ready(…): gp.Atomicstatus 4 → 1, locks sched.lock,
//	         s.Runqsize 0 → 1
//	       ── M0 waits ─────────────────────────────────────────────────────────────────────────────────
//	  6-9                                              the G ends, and becomes another:
//	                                                     gp.Atomicstatus 2 → 6, mp.Curg G5 → nil,
//	                                                     gp.Preempt 0 → 0, gp.PreemptStop 0 → 0
//	10-14                                              mstart(…): locks sched.lock,
//	                                                     s.Runqsize 1 → 0, mp.Curg nil → G1,
//	                                                     gp.Atomicstatus 1 → 2
//	   15                                              came.Wakeup()
//	16-19                                              the G ends, and becomes another:
//	                                                     gp.Atomicstatus 2 → 6, mp.Curg G1 → nil,
//	                                                     gp.Preempt 0 → 0, gp.PreemptStop 0 → 0
//	20-21                                              mstart(…): locks sched.lock
//	       ── M2 waits ─────────────────────────────────────────────────────────────────────────────────
//	   22  came.Sleep()
//	23-26  the G ends, and becomes another: gp.Atomicstatus 2 → 6, mp.Curg G2 → nil, gp.Preempt 0 → 0,
//	         gp.PreemptStop 0 → 0
//	   27  s.Lock.Lock()  (sched.lock)
//	   28  s.Lock.Unlock()  (sched.lock)
//	       ── M0 waits ─────────────────────────────────────────────────────────────────────────────────
//	   29                        gp.Atomicstatus.Load()  = 4
//	   30                        gp.Atomicstatus.CompareAndSwap(…)  4 → 1
//	   31                        p.s.Lock.Lock()  (sched.lock)
//	   32                        idle.Park.Wakeup()
//	                             idle.Nextg.Set(s.Globrunqget()) ◀
//	   33                        p.s.Lock.Unlock()  (sched.lock)
//	       ── M1 waits ─────────────────────────────────────────────────────────────────────────────────
//	   34  mp.Park.Sleep()
//	   35  mp.Park.Clear()
//	       mp.Nextg.Get() ◀
//
//	0 preemptions
func (p matchMended) Matchmg(mp *gmp.M) {
	s := p.s
	for s.Mcpu.Get() < s.Mcpumax.Get() && s.Runq.Get().Head != nil && s.Midle.Get() != nil {
		s.Mcpu.Set(s.Mcpu.Get() + 1)
		idle := s.Mget()
		idle.Park.Wakeup()
		idle.Nextg.Set(s.Globrunqget())
	}
	p.Matching.Matchmg(mp)
}

// matchMet says which two steps met in Matchmg of matchMended.
func matchMet() check.Met {
	panic(gmp.TODO("matchMet"))
}

// nextMended lets an M go to sleep. If the M has a G, or there is one, the correct one
// goes on.
type nextMended struct {
	gmp.Matching
	s *gmp.Sched
}

// NextGAndUnlock loses count of the Ms that run.
//
//	data race:
//	  M0 writes p.s.Mcpu, and M1 reads it: neither waits for the other, so M1 may see the old value
//	  nothing orders the two: there is no lock that both hold, and the last step of M0 that M1 has learned of is step 16, p.s.Lock.Unlock(), which came before this
//	  M0: p.s.Mcpu.Set(others) in NextGAndUnlock, called by Schedule, mstart, Run, Loops
//	  M1: p.s.Mcpu.Get() in NextGAndUnlock, called by Schedule, mstart, Run, Loops
//
//	       M0                                  M1
//	       ─────────────────────────────────────────────────────────────────────────────────────────────
//	 1-10  GoschedImpl(…): gp.Atomicstatus 2 → 1, mp.Curg G1 → nil,
//	         locks sched.lock, s.Runqsize 0 → 1, s.Runqsize 1 → 0, mp.Curg nil → G1,
//	         gp.Atomicstatus 1 → 2
//	11-14  the G ends, and becomes another: gp.Atomicstatus 2 → 6, mp.Curg G1 → nil, gp.Preempt 0 → 0,
//	         gp.PreemptStop 0 → 0
//	   15  s.Lock.Lock()  (sched.lock)
//	   16  p.s.Lock.Unlock()  (sched.lock)
//	       p.s.Mcpu.Set(others) ◀
//	       ── M0 waits ─────────────────────────────────────────────────────────────────────────────────
//	17-20                                      the G ends, and becomes another: gp.Atomicstatus 2 → 6,
//	                                             mp.Curg G2 → nil, gp.Preempt 0 → 0,
//	                                             gp.PreemptStop 0 → 0
//	   21                                      s.Lock.Lock()  (sched.lock)
//	                                           p.s.Mcpu.Get() ◀
//
//	0 preemptions
func (p nextMended) NextGAndUnlock(mp *gmp.M) *gmp.G {
	if mp.Nextg.Get() != nil || p.s.Runq.Get().Head != nil {
		return p.Matching.NextGAndUnlock(mp)
	}
	others := p.s.Mcpu.Get() - 1
	p.s.Mput(mp)
	p.s.Lock.Unlock()
	p.s.Mcpu.Set(others)
	p.s.MPark(mp)
	return given(p.s, mp)
}

// nextMet says which two steps met in NextGAndUnlock of nextMended.
func nextMet() check.Met {
	panic(gmp.TODO("nextMet"))
}

// given takes the G that mp was given before it was woken. It is correct.
func given(s *gmp.Sched, mp *gmp.M) *gmp.G {
	gp := mp.Nextg.Get()
	mp.Nextg.Set(nil)
	if gp == nil {
		s.Throw("bad m->nextg in nextgoroutine")
	}
	return gp
}

// yieldMended lets a G yield.
type yieldMended struct {
	gmp.Submission
	s *gmp.Sched
}

// GoschedImpl touches a G that is no longer its own.
//
//	data race:
//	  M0 writes mp.Curg.Get().M, and M1 writes it as gp.M: neither waits for the other, so either value may be the one that remains
//	  nothing orders the two: there is no lock that both hold, and the last step of M0 that M1 has learned of is step 4, p.s.Lock.Unlock(), which came before this
//	  M0: mp.Curg.Get().M.Set(nil) in GoschedImpl, called by yields, mstart, Run, Loops
//	  M1: gp.M.Set(mp) in Execute, called by Schedule, mstart, Run, Loops
//
//	       M0                                  M1
//	       ─────────────────────────────────────────────────────────────────────────────────────────────
//	    1  gp.Atomicstatus.CompareAndSwap(oldval, newval)  2 → 1
//	    2  p.s.Lock.Lock()  (sched.lock)
//	    3  l.s.Runqsize.Store(n)  0 → 1
//	    4  p.s.Lock.Unlock()  (sched.lock)
//	       mp.Curg.Get().M.Set(nil) ◀
//	    5  mp.Curg.Set(nil)  G1 → nil
//	       ── M0 is preempted ──────────────────────────────────────────────────────────────────────────
//	  6-9                                      the G ends, and becomes another: gp.Atomicstatus 2 → 6,
//	                                             mp.Curg G2 → nil, gp.Preempt 0 → 0,
//	                                             gp.PreemptStop 0 → 0
//	   10                                      s.Lock.Lock()  (sched.lock)
//	   11                                      l.s.Runqsize.Store(n)  1 → 0
//	   12                                      s.Lock.Unlock()  (sched.lock)
//	   13                                      mp.Curg.Set(gp)  nil → G1
//	                                           gp.M.Set(mp) ◀
//
//	1 preemption; with fewer, nothing goes wrong
func (p yieldMended) GoschedImpl(mp *gmp.M, gp *gmp.G, preempted bool) {
	p.s.Casgstatus(gp, gmp.Grunning, gmp.Grunnable)
	p.s.Lock.Lock()
	p.s.Globrunqput(gp)
	p.s.Lock.Unlock()
	p.s.Dropg(mp)
	p.s.Schedule(mp)
}

// yieldMet says which two steps met in GoschedImpl of yieldMended.
func yieldMet() check.Met {
	panic(gmp.TODO("yieldMet"))
}

// TestMends runs the checks on what you have mended.
func TestMends(t *testing.T) {
	base := solutions.Base("ch05")
	suite.Suite.TestMends(t, base, solutions.Mutants("ch05"), solutions.Mends("ch05"), map[string]check.Mending{
		"mend-match": {Met: matchMet, Part: gmp.Version{Matching: func(s *gmp.Sched) gmp.Matching {
			return matchMended{base.Matching(s), s}
		}}},
		"mend-next": {Met: nextMet, Part: gmp.Version{Matching: func(s *gmp.Sched) gmp.Matching {
			return nextMended{base.Matching(s), s}
		}}},
		"mend-yield": {Met: yieldMet, Part: gmp.Version{Submission: func(s *gmp.Sched) gmp.Submission {
			return yieldMended{base.Submission(s), s}
		}}},
	})
}
