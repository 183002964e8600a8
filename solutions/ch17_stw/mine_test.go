package ch17_test

import (
	"testing"

	suite "gosched/chapters/ch17_stw"
	"gosched/chapters/check"
	"gosched/chapters/gmp"
	"gosched/solutions"
)

// mine tests RunSafePointFn of s. Report what is wrong with t.Errorf.
//
// gmp.NewP(0, 2) makes a P. Set s.SafePointFn, s.SafePointWait and the P's RunSafePointFn, as
// ForEachP does, and call s.RunSafePointFn(pp, false). s.SafePointNote.SleepTimeout(0) says
// whether the note is signalled, and s.SafePointNote.Clear makes it good for the next time.
//
//course:exercise
func mine(t check.TB, s *gmp.Sched) {
	//course:question A P need not call the function, or is the first one, or the last one. What is to be seen after each of these?
	//course:step A function that counts how often it is called, and two Ps that are to call it.
	called := 0
	s.SafePointFn.Set(func(*gmp.P) { called++ })
	s.SafePointWait.Set(2)
	//course:step Call it for a P that need not, for the first one, for that one again, and for the last one. Look at everything after each.
	idle, first, last := gmp.NewP(0, 2), gmp.NewP(1, 2), gmp.NewP(2, 2)
	first.RunSafePointFn.Store(1)
	last.RunSafePointFn.Store(1)
	for _, c := range []struct {
		what   string
		pp     *gmp.P
		called int
		done   bool
	}{
		{"the P need not", idle, 0, false},
		{"the first P", first, 1, false},
		{"the first P once more", first, 1, false},
		{"the last P", last, 2, true},
	} {
		s.RunSafePointFn(c.pp, false)
		if called != c.called {
			t.Errorf("%s: the function was called %d times", c.what, called)
		}
		if n := s.SafePointWait.Get(); n != int32(2-c.called) {
			t.Errorf("%s: SafePointWait is %d", c.what, n)
		}
		if c.pp.RunSafePointFn.Load() != 0 {
			t.Errorf("%s: RunSafePointFn stays set", c.what)
		}
		if s.SafePointNote.SleepTimeout(0) != c.done {
			t.Errorf("%s: whether the note is signalled is %v", c.what, !c.done)
			return
		}
	}
}

// TestMine runs your test on a correct RunSafePointFn, where it must pass, and on wrong
// ones, where it must fail.
func TestMine(t *testing.T) {
	suite.Suite.TestMine(t, solutions.Base("ch17"), solutions.Mutants("ch17"), mine)
}
