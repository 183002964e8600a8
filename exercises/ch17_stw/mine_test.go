// This file is yours: what you write in it is kept. The task is in README.md
// beside it, and this command checks your code:
//
//	go run ./autograder test ch17

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
func mine(t check.TB, s *gmp.Sched) {
	// Question: A P need not call the function, or is the first one, or the
	//           last one. What is to be seen after each of these?
	panic(gmp.TODO("mine"))
}

// TestMine runs your test on a correct RunSafePointFn, where it must pass, and on wrong
// ones, where it must fail.
func TestMine(t *testing.T) {
	suite.Suite.TestMine(t, solutions.Base("ch17"), solutions.Mutants("ch17"), mine)
}
