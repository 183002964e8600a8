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
func mine(t check.TB, s *gmp.Sched) {
	panic(gmp.TODO("mine"))
}

// TestMine runs your test on a right Wakep, where it must pass, and on wrong ones,
// where it must fail.
func TestMine(t *testing.T) {
	suite.Suite.TestMine(t, solutions.Base("ch10"), solutions.Mutants("ch10"), mine)
}
