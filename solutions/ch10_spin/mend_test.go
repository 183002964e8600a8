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
//course:mend wake-loads-and-adds
func (p wakeMended) Wakep(mp *gmp.M) {
	s := p.s
	if s.Nmspinning.Load() != 0 || !s.Nmspinning.CompareAndSwap(0, 1) {
		return
	}
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
//
//course:exercise
func wakeMet() check.Met {
	//course:lead Both Ms went on. What has each of them seen, and when did that stop being true?
	return check.Met{One: "s.Nmspinning.Load() = 0", Other: "s.Nmspinning 0 → 1"}
}

// resetMended ends the spinning of an M that has found a G.
type resetMended struct{ right }

// Resetspinning leaves a G beside an idle P. M0 makes the second of two Gs ready, M1 has come
// for the first and runs it. It must call Wakep in any case, as its contract says.
//
//course:mend reset-looks-first
func (p resetMended) Resetspinning(mp *gmp.M) {
	s := p.s
	if !mp.Spinning.Get() {
		s.Throw("resetspinning: not a spinning m")
	}
	mp.Spinning.Set(false)
	if s.Nmspinning.Add(-1) < 0 {
		s.Throw("resetspinning: negative nmspinning")
	}
	s.Wakep(mp)
}

// resetMet says which two steps met in Resetspinning of resetMended.
//
//course:exercise
func resetMet() check.Met {
	//course:lead On which M has M0 relied, and by which look? When does that M stop being what M0 saw?
	return check.Met{One: "sees s.Nmspinning = 1", Other: "s.Nmspinning.Add(-1) 1 → 0"}
}

// stopMended lets an M sleep until it is given a P.
type stopMended struct{ right }

// Stopm sleeps for ever. MPark clears the note after it has been signalled.
//
//course:mend stop-clears-late
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
	s.MPark(mp)
	s.Acquirep(mp, mp.Nextp.Get())
	mp.Nextp.Set(nil)
}

// stopMet says which two steps met in Stopm of stopMended.
//
//course:exercise
func stopMet() check.Met {
	//course:lead M1 was woken. What has become of that?
	return check.Met{One: "nmp.Park.Wakeup()", Other: "mp.Park.Clear()"}
}

// TestMends runs the checks on what you have mended.
func TestMends(t *testing.T) {
	suite.Suite.TestMends(t, solutions.Base("ch10"), solutions.Mutants("ch10"), solutions.Mends("ch10"), map[string]check.Mending{
		"mend-wake":  {Part: with(func(r right) gmp.Wakeups { return wakeMended{r} }), Met: wakeMet},
		"mend-reset": {Part: with(func(r right) gmp.Wakeups { return resetMended{r} }), Met: resetMet},
		"mend-stop":  {Part: with(func(r right) gmp.Wakeups { return stopMended{r} }), Met: stopMet},
	})
}
