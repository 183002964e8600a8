package ch15_test

import (
	"testing"

	suite "gosched/chapters/ch15_timer"
	"gosched/chapters/check"
	"gosched/chapters/gmp"
	"gosched/solutions"
)

// mine tests UnlockAndRun of s. Report what is wrong with t.Errorf.
//
// s.NewTimer(f, nil) makes a timer that is not set and calls f; its fields When and Period say the
// rest. One that is in no heap and has no channel is enough: lock it, and call s.UnlockAndRun with
// nil for the M.
//
//course:exercise
func mine(t check.TB, s *gmp.Sched) {
	//course:question A timer is due at 100, and it is 130 when somebody comes to fire it. When is it due again, if its period is 20?
	//course:step A table: when it was due, its period, what time it is, and when it is due again.
	for _, c := range []struct{ when, period, now, next int64 }{
		{100, 0, 130, 0},
		{100, 20, 130, 140},
		{100, 20, 100, 120},
		{100, gmp.MaxWhen - 5, 130, gmp.MaxWhen},
	} {
		//course:step Make it, note how late it is told that it is, fire it, and look when it is due again.
		fired, delay := 0, int64(0)
		timer := s.NewTimer(func(_ *gmp.Sched, _ *gmp.M, _ any, d int64) { fired, delay = fired+1, d }, nil)
		timer.When.Set(c.when)
		timer.Period.Set(c.period)
		timer.Lock()
		s.UnlockAndRun(nil, timer, c.now)
		if fired != 1 || delay != c.now-c.when {
			t.Errorf("a timer of %d fires at %d: %d times, %d ns late", c.when, c.now, fired, delay)
		}
		if next := timer.When.Get(); next != c.next {
			t.Errorf("a timer of %d, each %d, fires at %d, and then is due at %d", c.when, c.period, c.now, next)
		}
	}
}

// TestMine runs your test on a correct UnlockAndRun, where it must pass, and on wrong ones, where
// it must fail.
func TestMine(t *testing.T) {
	suite.Suite.TestMine(t, solutions.Base("ch15"), solutions.Mutants("ch15"), mine)
}
