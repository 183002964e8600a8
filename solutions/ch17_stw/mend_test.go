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
//course:mend sema-unlocks-early
func (p waitMended) StopTheWorld(mp *gmp.M, gp *gmp.G, reason string, then func(s *gmp.Sched, mp *gmp.M, gp *gmp.G)) {
	s := p.s
	s.Worldlock.Lock()
	if s.Worldsema.Load() {
		gp.Cont.Set(func(s *gmp.Sched, mp *gmp.M, gp *gmp.G) {
			s.StopTheWorldWithSema(mp, reason)
			then(s, mp, gp)
		})
		s.Worldqueue.PushBack(gp)
		s.Gopark(mp, gp, func(*gmp.G, any) bool {
			s.Worldlock.Unlock()
			return true
		}, nil, gmp.WaitReasonSemacquire)
		return
	}
	s.Worldsema.Store(true)
	s.Worldlock.Unlock()
	s.StopTheWorldWithSema(mp, reason)
	then(s, mp, gp)
}

// waitMet says which two steps met in StopTheWorld of waitMended.
//
//course:exercise
func waitMet() check.Met {
	//course:lead Two Ms write the same field of the G. One lets go of it; what does the other do?
	return check.Met{One: "mp.Curg.Get().M.Set(nil)", Other: "gp.M.Set(mp)"}
}

// lastMended stops a P.
type lastMended struct{ right }

// Gcstopm lets two Ms be the last one.
//
//course:mend gcstopm-looks-late
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
	if s.Stopwait.Get() == 0 {
		s.Stopnote.Wakeup()
	}
	s.Lock.Unlock()
	s.Stopm(mp)
}

// lastMet says which two steps met in Gcstopm of lastMended.
//
//course:exercise
func lastMet() check.Met {
	//course:lead One M counts, and another one looks at the count.
	return check.Met{One: "s.Stopwait.Get()", Other: "s.Stopwait.Set(left)"}
}

// countMended runs a function at a safe point.
type countMended struct{ right }

// RunSafePointFn says too early that it is done.
//
//course:mend safe-counts-first
func (p countMended) RunSafePointFn(pp *gmp.P, lockheld bool) {
	s := p.s
	if !pp.RunSafePointFn.CompareAndSwap(1, 0) {
		return
	}
	fn := s.SafePointFn.Get()
	fn(pp)
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

// countMet says which two steps met in RunSafePointFn of countMended.
//
//course:exercise
func countMet() check.Met {
	//course:lead ForEachP has returned, and its caller looks at what the function has done.
	return check.Met{One: "n.Set(n.Get() + 1)", Other: "c.ran[id].Get()"}
}

// TestMends runs the checks on what you have mended.
func TestMends(t *testing.T) {
	suite.Suite.TestMends(t, solutions.Base("ch17"), solutions.Mutants("ch17"), solutions.Mends("ch17"), map[string]check.Mending{
		"mend-wait":  {Part: with(func(r right) gmp.World { return waitMended{r} }), Met: waitMet},
		"mend-last":  {Part: with(func(r right) gmp.World { return lastMended{r} }), Met: lastMet},
		"mend-count": {Part: with(func(r right) gmp.World { return countMended{r} }), Met: countMet},
	})
}
