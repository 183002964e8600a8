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
//course:mend ask-guard-first
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
	gp.Preempt.Set(true)
	gp.Sched.Guard.Store(machine.StackPreempt)
	if s.Version().Signals != nil {
		pp.Preempt.Set(true)
		s.PreemptM(mp, target)
	}
	return true
}

// askMet says which two steps met in Preemptone of askMended.
//
//course:exercise
func askMet() check.Met {
	//course:lead M0 looked whether there was a request. What did it see, and when was it there?
	return check.Met{One: "gp.Preempt.Get() = 0", Other: "gp.Preempt.Set(true) 0 → 1"}
}

// sleepMended sleeps while there is nothing to watch.
type sleepMended struct{ right }

// SysmonSleep falls asleep beside a busy P.
//
//course:mend sleep-says-late
func (p sleepMended) SysmonSleep(mp *gmp.M) bool {
	s := p.s
	s.Lock.Lock()
	defer s.Lock.Unlock()
	wait := min(s.TimeSleepUntil()-s.Nanotime(), gmp.ForceGCPeriod/2)
	if wait <= 0 || !s.Gcwaiting.Load() && s.Npidle.Load() != s.Gomaxprocs.Get() {
		return false
	}
	s.Sysmonwait.Store(true)
	s.Lock.Unlock()
	woken := s.Sysmonnote.SleepTimeout(wait)
	s.Lock.Lock()
	s.Sysmonwait.Store(false)
	s.Sysmonnote.Clear()
	return woken
}

// sleepMet says which two steps met in SysmonSleep of sleepMended.
//
//course:exercise
func sleepMet() check.Met {
	//course:lead M0 took P0, and looked whether the monitor sleeps. What did it see, and from when on was that no longer so?
	return check.Met{One: "s.Sysmonwait.Load() = 0", Other: "s.Sysmonwait.Store(true) 0 → 1"}
}

// pollMended looks at the network.
type pollMended struct{ right }

// SysmonPoll writes over the sign of an M that waits.
//
//course:mend poll-stores
func (p pollMended) SysmonPoll(mp *gmp.M, now int64) {
	s := p.s
	last := s.Lastpoll.Load()
	if last == 0 || last+10_000_000 >= now {
		return
	}
	s.Lastpoll.CompareAndSwap(last, now)
	if list := s.Netpoll(mp, 0); list.Head != nil {
		s.Incidlelocked(-1)
		s.Injectglist(mp, list)
		s.Incidlelocked(1)
	}
}

// pollMet says which two steps met in SysmonPoll of pollMended.
//
//course:exercise
func pollMet() check.Met {
	//course:lead Two threads write Lastpoll. Which of them came between a look and what followed from it?
	return check.Met{One: "s.Lastpoll.Swap(0) 1 → 0", Other: "s.Lastpoll.Store(now) 0 → 20000000"}
}

// TestMends runs the checks on what you have mended.
func TestMends(t *testing.T) {
	suite.Suite.TestMends(t, solutions.Base("ch12"), solutions.Mutants("ch12"), solutions.Mends("ch12"), map[string]check.Mending{
		"mend-guard": {Part: with(func(r right) gmp.Monitor { return askMended{r} }), Met: askMet},
		"mend-sleep": {Part: with(func(r right) gmp.Monitor { return sleepMended{r} }), Met: sleepMet},
		"mend-poll":  {Part: with(func(r right) gmp.Monitor { return pollMended{r} }), Met: pollMet},
	})
}
