// This file is yours: what you write in it is kept. The task is in README.md
// beside it, and this command checks your code:
//
//	go run ./autograder test ch12

package ch12_test

import (
	"testing"

	suite "gosched/chapters/ch12_sysmon"
	"gosched/chapters/check"
	"gosched/chapters/gmp"
	"gosched/solutions"
)

// mine tests the time slices of s.Retake. Report what is wrong with t.Errorf.
//
// Nothing runs on s. Make a P by gmp.NewP(0, 2), let its Status be gmp.Prunning, and put it into
// s.Allp. P.M leads to an M (&gmp.M{}) that is not the monitor's, and M.Curg to its G (&gmp.G{}),
// whose status does not matter here. A new P is in its slice number 0, which the monitor takes to
// have begun at time 0; set another Schedtick before the first look. The G was asked to stop if its
// Preempt is true. Times are in ns; each call of Retake may be given any time that is not before that
// of the last one.
func mine(t check.TB, s *gmp.Sched) {
	// Question: What does Retake know of a slice that it sees for the first
	//           time? And what may happen between two looks?
	panic(gmp.TODO("mine"))
}

// TestMine runs your test on a correct Retake, where it must pass, and on wrong ones, where
// it must fail.
func TestMine(t *testing.T) {
	suite.Suite.TestMine(t, solutions.Base("ch12"), solutions.Mutants("ch12"), mine)
}
