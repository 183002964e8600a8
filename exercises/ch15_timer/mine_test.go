// This file is yours: what you write in it is kept. The task is in README.md
// beside it, and this command checks your code:
//
//	go run ./autograder test ch15

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
func mine(t check.TB, s *gmp.Sched) {
	// Question: A timer is due at 100, and it is 130 when somebody comes to
	//           fire it. When is it due again, if its period is 20?
	panic(gmp.TODO("mine"))
}

// TestMine runs your test on a correct UnlockAndRun, where it must pass, and on wrong ones, where
// it must fail.
func TestMine(t *testing.T) {
	suite.Suite.TestMine(t, solutions.Base("ch15"), solutions.Mutants("ch15"), mine)
}
