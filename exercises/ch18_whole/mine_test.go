// This file is yours: what you write in it is kept. The task is in README.md
// beside it, and this command checks your code:
//
//	go run ./autograder test ch18

package ch18_test

import (
	"testing"

	suite "gosched/chapters/ch18_whole"
	"gosched/chapters/check"
	"gosched/chapters/gmp"
	"gosched/solutions"
)

// mine tests MaskIdle and MaskBusy of s. Report what is wrong with t.Errorf.
//
// Ps can be made by hand: gmp.NewP(0, 2). s.Resizemasks(2) makes masks for two of them, none of which
// is idle, and each of which may have timers. A P has timers if pp.Timers.Len is not 0.
func mine(t check.TB, s *gmp.Sched) {
	// Question: Two masks, two methods, with timers or without: what should
	//           each bit be afterwards?
	panic(gmp.TODO("mine"))
}

// TestMine runs your test on correct masks, where it must pass, and on wrong ones, where it must
// fail.
func TestMine(t *testing.T) {
	suite.Suite.TestMine(t, solutions.Base("ch18"), solutions.Mutants("ch18"), mine)
}
