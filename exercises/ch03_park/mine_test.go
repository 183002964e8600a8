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

// mine tests the queues of waiters of s: Enqueue, Dequeue and DequeueSudoG. Report
// what is wrong with t.Errorf.
func mine(t check.TB, s *gmp.Sched) {
	// 1. A gmp.Waitq is ready for use, and so are sudogs made by hand:
	//    new(gmp.Sudog). Nobody else uses them, so no lock is needed.
	// 2. A queue with two links has two directions. After each change, walk it
	//    both ways; at each end it must stop.
	// 3. Who leaves points to nobody.
	// 4. In order, until it is empty, and once more.
	// 5. From the middle, from both ends, as the only one, and one that is not
	//    there.
	panic(gmp.TODO("mine"))
}

// TestMine runs your test on right queues, where it must pass, and on wrong ones,
// where it must fail.
func TestMine(t *testing.T) {
	suite.Suite.TestMine(t, solutions.Base("ch03"), solutions.Mutants("ch03"), mine)
}
