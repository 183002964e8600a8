// This file is yours: what you write in it is kept. The task is in README.md
// beside it, and this command checks your code:
//
//	go run ./autograder test ch03

package ch03_test

import (
	"testing"

	suite "gosched/chapters/ch03_park"
	"gosched/chapters/check"
	"gosched/chapters/gmp"
	"gosched/solutions"
)

// mine tests the queues of waiters of s: Enqueue, Dequeue and DequeueSudoG. A gmp.Waitq is
// ready for use, and so are sudogs made by hand, new(gmp.Sudog). Nothing else uses them,
// so no lock is needed. Report what is wrong with t.Errorf.
func mine(t check.TB, s *gmp.Sched) {
	panic(gmp.TODO("mine"))
}

// TestMine runs your test on correct queues, where it must pass, and on wrong
// ones, where it must fail.
func TestMine(t *testing.T) {
	suite.Suite.TestMine(t, solutions.Base("ch03"), solutions.Mutants("ch03"), mine)
}
