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
// Nothing runs on s. A P is made by gmp.NewP(0, 2) and put into s.Allp; its Status must be
// gmp.Prunning. Let it have an M (&gmp.M{}) and that a G (&gmp.G{}), by P.M and M.Curg, and see
// whether the G was asked, by its Preempt. The monitor's M is another one. Times are in ns; each
// call of Retake may be given any time that is not before the last one.
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
