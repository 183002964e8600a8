// This file is yours: what you write in it is kept. The task is in README.md
// beside it, and this command checks your code:
//
//	go run ./autograder test ch10

package ch10_test

import (
	"testing"

	suite "gosched/chapters/ch10_spin"
	"gosched/chapters/check"
	"gosched/chapters/gmp"
	"gosched/solutions"
)

// mine tests Wakep of s. Report what is wrong with t.Errorf.
//
// A P and an M that are idle can be made by hand, with s.Lock held: gmp.NewP(0, 2) and
// s.Pidleput(pp, 1), &gmp.M{ID: 1} and s.Mput. As long as s.Mnext is more than the number of
// idle Ms no deadlock is reported.
func mine(t check.TB, s *gmp.Sched) {
	// Question: There are three situations in which Wakep may be called. What
	//           must have changed afterwards in each, and what must not?
	panic(gmp.TODO("mine"))
}

// TestMine runs your test on a correct Wakep, where it must pass, and on wrong
// ones, where it must fail.
func TestMine(t *testing.T) {
	suite.Suite.TestMine(t, solutions.Base("ch10"), solutions.Mutants("ch10"), mine)
}
