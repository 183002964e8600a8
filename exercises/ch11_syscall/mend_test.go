// This file is yours: what you write in it is kept. The task is in README.md
// beside it, and this command checks your code:
//
//	go run ./autograder test ch11

package ch11_test

import (
	"testing"

	suite "gosched/chapters/ch11_syscall"
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
	gmp.Syscalls
	s *gmp.Sched
}

// with is the part of the course with some methods replaced.
func with(mended func(right) gmp.Syscalls) gmp.Version {
	return gmp.Version{Syscalls: func(s *gmp.Sched) gmp.Syscalls {
		return mended(right{solutions.Base("ch11").Syscalls(s), s})
	}}
}

// enterMended leaves its P where others may take it.
type enterMended struct{ right }

// Entersyscall lets the M that stops the world wait for ever.
//
//	violated check:
//	  the world never stops: s.Stopwait is 1, and P0 is syscall
//
//	       M0                                  stopper
//	       ─────────────────────────────────────────────────────────────────────────────────────────────
//	  1-2  Holding(…): pp.M nil → M0, pp.Status 0 → 1
//	    3  mp.Curg.Set(gp)  nil → G1
//	    4  gp.Atomicstatus.CompareAndSwap(oldval, newval)  2 → 3
//	    5  s.Sysmonwait.Load()  = 0
//	    6  pp.M.Set(nil)  M0 → nil
//	    7  s.Gcwaiting.Load()  = 0
//	       ── M0 is preempted ──────────────────────────────────────────────────────────────────────────
//	    8                                      s.Lock.Lock()  (sched.lock)
//	    9                                      s.Gcwaiting.Store(true)  0 → 1
//	   10                                      pp.Status.CompareAndSwap(…)
//	                                             fails, finds 1
//	   11                                      s.Lock.Unlock()  (sched.lock)
//	       ── stopper waits ────────────────────────────────────────────────────────────────────────────
//	   12  pp.Status.Store(gmp.Psyscall)  1 → 2
//
//	1 preemption; with fewer, nothing goes wrong
func (p enterMended) Entersyscall(mp *gmp.M, gp *gmp.G) {
	s := p.s
	gp.SyscallPC.Set(gp.Sched.PC)
	gp.SyscallSP.Set(gp.Sched.SP)
	s.Casgstatus(gp, gmp.Grunning, gmp.Gsyscall)
	if s.Sysmonwait.Load() {
		s.Lock.Lock()
		if s.Sysmonwait.Load() {
			s.Sysmonwait.Store(false)
			s.Sysmonnote.Wakeup()
		}
		s.Lock.Unlock()
	}
	pp := mp.P.Get()
	mp.Syscalltick.Set(pp.Syscalltick.Get())
	mp.Oldp.Set(pp)
	mp.P.Set(nil)
	pp.M.Set(nil)
	stopping := s.Gcwaiting.Load()
	pp.Status.Store(gmp.Psyscall)
	if stopping {
		s.Lock.Lock()
		if s.Stopwait.Get() > 0 && s.GcstopSyscall(pp) && s.Stopwait.Get() == 0 {
			s.Stopnote.Wakeup()
		}
		s.Lock.Unlock()
	}
}

// enterMet says which two steps met in Entersyscall of enterMended.
func enterMet() check.Met {
	panic(gmp.TODO("enterMet"))
}

// wakeMended wakes the monitor.
type wakeMended struct{ right }

// Entersyscall signals the monitor's note although M1 has done so.
//
//	panic:
//	  M0: fatal error: notewakeup - double wakeup
//
//	       M0                    M1                    monitor
//	       ─────────────────────────────────────────────────────────────────────────────────────────────
//	  1-2  Holding(…): pp.M nil → M0, pp.Status 0 → 1
//	    3  mp.Curg.Set(gp)  nil → G1
//	    4  gp.Atomicstatus.CompareAndSwap(oldval, newval)  2 → 3
//	    5  s.Sysmonwait.Load()  = 1
//	       ── M0 is preempted ──────────────────────────────────────────────────────────────────────────
//	 6-16                        ExitsyscallPidle(…): locks sched.lock,
//	                               s.Npidle 1 → 0, s.Sysmonwait 1 → 0, s.Sysmonnote.Wakeup(),
//	                               pp.M nil → M1, pp.Status 0 → 1, pp.Schedtick 0 → 1,
//	                               pp.Syscalltick 0 → 1
//	       ── M1 ends ──────────────────────────────────────────────────────────────────────────────────
//	   17  s.Lock.Lock()  (sched.lock)
//	   18  s.Sysmonwait.Store(false)  0 → 0
//	   19  s.Sysmonnote.Wakeup()
//	       panics ◀
//
//	1 preemption; with fewer, nothing goes wrong
func (p wakeMended) Entersyscall(mp *gmp.M, gp *gmp.G) {
	s := p.s
	gp.SyscallPC.Set(gp.Sched.PC)
	gp.SyscallSP.Set(gp.Sched.SP)
	s.Casgstatus(gp, gmp.Grunning, gmp.Gsyscall)
	if s.Sysmonwait.Load() {
		s.Lock.Lock()
		s.Sysmonwait.Store(false)
		s.Sysmonnote.Wakeup()
		s.Lock.Unlock()
	}
	pp := mp.P.Get()
	mp.Syscalltick.Set(pp.Syscalltick.Get())
	mp.Oldp.Set(pp)
	mp.P.Set(nil)
	pp.M.Set(nil)
	pp.Status.Store(gmp.Psyscall)
	if s.Gcwaiting.Load() {
		s.Lock.Lock()
		if s.Stopwait.Get() > 0 && s.GcstopSyscall(pp) && s.Stopwait.Get() == 0 {
			s.Stopnote.Wakeup()
		}
		s.Lock.Unlock()
	}
}

// wakeMet says which two steps met in Entersyscall of wakeMended.
func wakeMet() check.Met {
	panic(gmp.TODO("wakeMet"))
}

// handoffMended finds something to do for a P.
type handoffMended struct{ right }

// Handoffp leaves a G on the global queue, beside the P that it puts on the list of idle ones.
//
//	violated check:
//	  G1 is runnable, and no M runs it: it waits for ever, beside an idle P
//
//	       M0                    M1                    M2
//	       ─────────────────────────────────────────────────────────────────────────────────────────────
//	    1  pp.Runq[i].Load()  = nil
//	    2  s.Runqsize.Load()  = 0
//	    3  s.Nmspinning.Load()  = 0
//	    4  s.Npidle.Load()  = 1
//	       ── M0 is preempted ──────────────────────────────────────────────────────────────────────────
//	 5-13                                              ExitsyscallPidle(…):
//	                                                     locks sched.lock, s.Npidle 1 → 0,
//	                                                     pp.M nil → M2, pp.Status 0 → 1,
//	                                                     pp.Schedtick 0 → 1, pp.Syscalltick 0 → 1
//	       ── M2 ends ──────────────────────────────────────────────────────────────────────────────────
//	14-21                        Exitsyscall(…): sees s.Npidle = 0,
//	                               gp.Atomicstatus 3 → 1, mp.Curg G1 → nil, locks sched.lock,
//	                               s.Runqsize 0 → 1
//	       ── M1 waits ─────────────────────────────────────────────────────────────────────────────────
//	   22  s.Lock.Lock()  (sched.lock)
//	   23  s.Gcwaiting.Load()  = 0
//	   24  s.Npidle.Load()  = 0
//	   25  s.Needspinning.Load()  = 0
//	   26  ts.MinWhenModified.Load()  = 0
//	   27  ts.MinWhenHeap.Load()  = 0
//	   28  pp.Runq[0].Load()  = nil
//	   29  s.Npidle.Add(1)  0 → 1
//	   30  s.Lock.Unlock()  (sched.lock)
//
//	1 preemption; with fewer, nothing goes wrong
func (p handoffMended) Handoffp(mp *gmp.M, pp *gmp.P) {
	s := p.s
	if !s.Runqempty(pp) || s.Runqsize.Load() > 0 {
		s.Startm(mp, pp, false, false)
		return
	}
	if s.Nmspinning.Load()+s.Npidle.Load() == 0 && s.Nmspinning.CompareAndSwap(0, 1) {
		s.Needspinning.Store(false)
		s.Startm(mp, pp, true, false)
		return
	}
	s.Lock.Lock()
	if s.Gcwaiting.Load() {
		pp.Status.Store(gmp.Pgcstop)
		s.Stopwait.Set(s.Stopwait.Get() - 1)
		if s.Stopwait.Get() == 0 {
			s.Stopnote.Wakeup()
		}
		s.Lock.Unlock()
		return
	}
	if s.Npidle.Load() == s.Gomaxprocs.Get()-1 && s.Lastpoll.Load() != 0 {
		s.Lock.Unlock()
		s.Startm(mp, pp, false, false)
		return
	}
	if s.Needspinning.Load() {
		s.Needspinning.Store(false)
		s.Nmspinning.Add(1)
		s.Lock.Unlock()
		s.Startm(mp, pp, true, false)
		return
	}
	when := pp.Timers.WakeTime()
	s.Pidleput(pp, 0)
	s.Lock.Unlock()
	if when != 0 {
		s.Wakenetpoller(mp, when)
	}
}

// handoffMet says which two steps met in Handoffp of handoffMended.
func handoffMet() check.Met {
	panic(gmp.TODO("handoffMet"))
}

// TestMends runs the checks on what you have mended.
func TestMends(t *testing.T) {
	suite.Suite.TestMends(t, solutions.Base("ch11"), solutions.Mutants("ch11"), solutions.Mends("ch11"), map[string]check.Mending{
		"mend-enter":   {Part: with(func(r right) gmp.Syscalls { return enterMended{r} }), Met: enterMet},
		"mend-monitor": {Part: with(func(r right) gmp.Syscalls { return wakeMended{r} }), Met: wakeMet},
		"mend-handoff": {Part: with(func(r right) gmp.Syscalls { return handoffMended{r} }), Met: handoffMet},
	})
}
