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
//course:mend enter-looks-first
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
	pp.Status.Store(gmp.Psyscall)
	stopping := s.Gcwaiting.Load()
	if stopping {
		s.Lock.Lock()
		if s.Stopwait.Get() > 0 && s.GcstopSyscall(pp) && s.Stopwait.Get() == 0 {
			s.Stopnote.Wakeup()
		}
		s.Lock.Unlock()
	}
}

// enterMet says which two steps met in Entersyscall of enterMended.
//
//course:exercise
func enterMet() check.Met {
	//course:lead Each of the two M looks at what the other one writes. Which look comes before which write?
	return check.Met{One: "s.Gcwaiting.Load() = 0", Other: "s.Gcwaiting.Store(true)"}
}

// wakeMended wakes the monitor.
type wakeMended struct{ right }

// Entersyscall signals the monitor's note although M1 has done so.
//
//course:mend enter-wakes-twice
func (p wakeMended) Entersyscall(mp *gmp.M, gp *gmp.G) {
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
//
//course:exercise
func wakeMet() check.Met {
	//course:lead What has M0 seen before it waits for the lock, and which M has changed that?
	return check.Met{One: "s.Sysmonwait.Load() = 1", Other: "s.Sysmonwait 1 → 0"}
}

// handoffMended finds something to do for a P.
type handoffMended struct{ right }

// Handoffp leaves a G on the global queue, beside the P that it puts on the list of idle ones.
//
//course:mend handoff-looks-once
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
	if s.Runq.Get().Size > 0 || s.Npidle.Load() == s.Gomaxprocs.Get()-1 && s.Lastpoll.Load() != 0 {
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
//
//course:exercise
func handoffMet() check.Met {
	//course:lead Where did M0 look for the last time at what M1 has then changed?
	return check.Met{One: "s.Runqsize.Load() = 0", Other: "s.Runqsize 0 → 1"}
}

// TestMends runs the checks on what you have mended.
func TestMends(t *testing.T) {
	suite.Suite.TestMends(t, solutions.Base("ch11"), solutions.Mutants("ch11"), solutions.Mends("ch11"), map[string]check.Mending{
		"mend-enter":   {Part: with(func(r right) gmp.Syscalls { return enterMended{r} }), Met: enterMet},
		"mend-monitor": {Part: with(func(r right) gmp.Syscalls { return wakeMended{r} }), Met: wakeMet},
		"mend-handoff": {Part: with(func(r right) gmp.Syscalls { return handoffMended{r} }), Met: handoffMet},
	})
}
