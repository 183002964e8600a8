// This file is yours: what you write in it is kept. The task is in README.md
// beside it, and this command checks your code:
//
//	go run ./autograder test ch14

package ch14_test

import (
	"testing"

	suite "gosched/chapters/ch14_signal"
	"gosched/chapters/check"
	"gosched/chapters/gmp"
	"gosched/solutions"
)

// mine tests IsAsyncSafePoint of s. Report what is wrong with t.Errorf.
//
// gmp.M{} and gmp.NewP(0, 2) make an M and a P, check.Holding and check.Running link them and a
// G. s.Program() is an empty program, and yours: give it Code, and in Unsafe a bit for each pc
// that is no safe point.
func mine(t check.TB, s *gmp.Sched) {
	// Question: Which four things keep a G from being stopped? And is a G that
	//           is at none of them always stopped?
	panic(gmp.TODO("mine"))
}

// TestMine runs your test on a correct IsAsyncSafePoint, where it must pass, and on wrong
// ones, where it must fail.
func TestMine(t *testing.T) {
	suite.Suite.TestMine(t, solutions.Base("ch14"), solutions.Mutants("ch14"), mine)
}
