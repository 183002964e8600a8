// This file is yours: what you write in it is kept. The task is in README.md
// beside it, and this command checks your code:
//
//	go run ./autograder test ch12

package ch12_test

import (
	"testing"

	suite "gosched/chapters/ch12_sysmon"
	"gosched/chapters/check"
	"gosched/chapters/gmp"
	"gosched/chapters/machine"
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
	gmp.Monitor
	s *gmp.Sched
}

// with is the part of the course with some methods replaced.
func with(mended func(right) gmp.Monitor) gmp.Version {
	return gmp.Version{Monitor: func(s *gmp.Sched) gmp.Monitor {
		return mended(right{solutions.Base("ch12").Monitor(s), s})
	}}
}

// askMended asks a G to stop.
type askMended struct{ right }

// Preemptone loses its request.
//
//	violated check:
//	  G1 was asked to stop, and goes on with its slice; its guard is that of its new stack, so no prologue will notice
//
//	       M0                                  monitor
//	       ─────────────────────────────────────────────────────────────────────────────────────────────
//	    1                                      pp.M.Look()  = M0
//	    2                                      target.Curg.Look()  = G1
//	    3                                      gp.Atomicstatus.Load()  = 2
//	    4                                      Sched.Guard.Store(…)  4096 → -1314
//	       ── monitor is preempted ─────────────────────────────────────────────────────────────────────
//	    5  gp.Sched.Guard.Store(guard)  -1314 → 4096
//	    6  gp.Preempt.Get()  = 0
//	       goes on with G1, whose guard is set for the new stack
//	       ── M0 ends ──────────────────────────────────────────────────────────────────────────────────
//	    7                                      gp.Preempt.Set(true)  0 → 1
//
//	1 preemption; with fewer, nothing goes wrong
func (p askMended) Preemptone(mp *gmp.M, pp *gmp.P) bool {
	s := p.s
	target := pp.M.Look()
	if target == nil || target == mp {
		return false
	}
	gp := target.Curg.Look()
	if gp == nil || gp.Atomicstatus.Load()&^gmp.Gscan == gmp.Gsyscall {
		return false
	}
	gp.Sched.Guard.Store(machine.StackPreempt)
	gp.Preempt.Set(true)
	if s.Version().Signals != nil {
		pp.Preempt.Set(true)
		s.PreemptM(mp, target)
	}
	return true
}

// askMet says which two steps met in Preemptone of askMended.
func askMet() check.Met {
	panic(gmp.TODO("askMet"))
}

// sleepMended sleeps while there is nothing to watch.
type sleepMended struct{ right }

// SysmonSleep falls asleep beside a busy P.
//
//	violated check:
//	  M0 has taken P0, and found Sysmonwait false; now P0 is busy, and Sysmonwait is true: the monitor sleeps, or is about to, and no M will wake it before its time is over, which may take a minute
//
//	       monitor                             M0
//	       ─────────────────────────────────────────────────────────────────────────────────────────────
//	    1  s.Lock.Lock()  (sched.lock)
//	    2  ts.MinWhenModified.Load()  = 0
//	    3  ts.MinWhenHeap.Load()  = 0
//	    4  ts.MinWhenModified.Load()  = 0
//	    5  ts.MinWhenHeap.Load()  = 0
//	    6  s.Gcwaiting.Load()  = 0
//	    7  s.Npidle.Load()  = 1
//	    8  s.Lock.Unlock()  (sched.lock)
//	       ── monitor is preempted ─────────────────────────────────────────────────────────────────────
//	    9                                      s.Lock.Lock()  (sched.lock)
//	   10                                      s.Npidle.Add(-1)  1 → 0
//	   11                                      s.Sysmonwait.Load()  = 0
//	   12                                      s.Lock.Unlock()  (sched.lock)
//	                                           runs a G on P0
//	   13                                      s.Lock.Lock()  (sched.lock)
//	       ── M0 is preempted ──────────────────────────────────────────────────────────────────────────
//	   14  s.Sysmonwait.Store(true)  0 → 1
//	   15  s.Sysmonnote.SleepTimeout(wait)  = false
//	       ── monitor yields ───────────────────────────────────────────────────────────────────────────
//	   16                                      s.Sysmonwait.Load()  = 1
//
//	2 preemptions; with fewer, nothing goes wrong
func (p sleepMended) SysmonSleep(mp *gmp.M) bool {
	s := p.s
	s.Lock.Lock()
	defer s.Lock.Unlock()
	wait := min(s.TimeSleepUntil()-s.Nanotime(), gmp.ForceGCPeriod/2)
	if wait <= 0 || !s.Gcwaiting.Load() && s.Npidle.Load() != s.Gomaxprocs.Get() {
		return false
	}
	s.Lock.Unlock()
	s.Sysmonwait.Store(true)
	woken := s.Sysmonnote.SleepTimeout(wait)
	s.Lock.Lock()
	s.Sysmonwait.Store(false)
	s.Sysmonnote.Clear()
	return woken
}

// sleepMet says which two steps met in SysmonSleep of sleepMended.
func sleepMet() check.Met {
	panic(gmp.TODO("sleepMet"))
}

// pollMended looks at the network.
type pollMended struct{ right }

// SysmonPoll writes over the sign of an M that waits.
//
//	violated check:
//	  M0 waits for the network, and s.Lastpoll is not 0: an M that sets a timer will think that no M waits, and not wake M0, which sleeps past it
//
//	       M0                                  monitor
//	       ─────────────────────────────────────────────────────────────────────────────────────────────
//	    1                                      s.Lastpoll.Load()  = 1
//	       ── monitor is preempted ─────────────────────────────────────────────────────────────────────
//	    2  s.Lastpoll.Swap(0)  1 → 0
//	       waits for the network
//	       ── M0 ends ──────────────────────────────────────────────────────────────────────────────────
//	    3                                      s.Lastpoll.Store(now)  0 → 20000000
//
//	1 preemption; with fewer, nothing goes wrong
func (p pollMended) SysmonPoll(mp *gmp.M, now int64) {
	s := p.s
	last := s.Lastpoll.Load()
	if last == 0 || last+10_000_000 >= now {
		return
	}
	s.Lastpoll.Store(now)
	if list := s.Netpoll(mp, 0); list.Head != nil {
		s.Incidlelocked(-1)
		s.Injectglist(mp, list)
		s.Incidlelocked(1)
	}
}

// pollMet says which two steps met in SysmonPoll of pollMended.
func pollMet() check.Met {
	panic(gmp.TODO("pollMet"))
}

// TestMends runs the checks on what you have mended.
func TestMends(t *testing.T) {
	suite.Suite.TestMends(t, solutions.Base("ch12"), solutions.Mutants("ch12"), solutions.Mends("ch12"), map[string]check.Mending{
		"mend-guard": {Part: with(func(r right) gmp.Monitor { return askMended{r} }), Met: askMet},
		"mend-sleep": {Part: with(func(r right) gmp.Monitor { return sleepMended{r} }), Met: sleepMet},
		"mend-poll":  {Part: with(func(r right) gmp.Monitor { return pollMended{r} }), Met: pollMet},
	})
}
