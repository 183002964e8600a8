// This file is yours: what you write in it is kept. The task is in README.md
// beside it, and this command checks your code:
//
//	go run ./autograder test ch06

package ch06_test

import (
	"testing"

	suite "gosched/chapters/ch06_p"
	"gosched/chapters/check"
	"gosched/chapters/gmp"
	"gosched/solutions"
)

// mine tests what becomes of a P that dies: Procresize of s to fewer Ps. Report what is
// wrong with t.Errorf.
func mine(t check.TB, s *gmp.Sched) {
	panic(gmp.TODO("mine"))
}

// TestMine runs your test on a right Procresize, where it must pass, and on wrong ones,
// where it must fail.
func TestMine(t *testing.T) {
	suite.Suite.TestMine(t, solutions.Base("ch06"), solutions.Mutants("ch06"), mine)
}
