// This file is yours: what you write in it is kept. The task is in README.md
// beside it, and this command checks your code:
//
//	go run ./autograder test ch02

package ch02_test

import (
	"testing"

	suite "gosched/chapters/ch02_onethread"
	"gosched/chapters/check"
	"gosched/chapters/gmp"
	"gosched/solutions"
)

// mine tests the global queue of s, which nothing else uses: Globrunqput, Globrunqputhead
// and Globrunqget, each called with s.Lock held, and what they leave in s.Runq. Gs made by
// hand will do, &gmp.G{Goid: machine.CellOf(int64(1))}: they do not run, so they need no
// stack. Report what is wrong with t.Errorf.
func mine(t check.TB, s *gmp.Sched) {
	panic(gmp.TODO("mine"))
}

// TestMine runs your test on the correct queue, where it must pass, and on
// wrong ones, where it must fail.
func TestMine(t *testing.T) {
	suite.Suite.TestMine(t, solutions.Base("ch02"), solutions.Mutants("ch02"), mine)
}
