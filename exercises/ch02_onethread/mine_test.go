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

// mine tests the global queue of s, which nothing else uses. Report what is wrong
// with t.Errorf.
func mine(t check.TB, s *gmp.Sched) {
	// 1. Make a few Gs by hand: &gmp.G{Goid: 1}, and so on. They need no
	//    stack, since they do not run.
	// 2. Think of what must come out, for some order of putting in. s.Lock is
	//    yours during each call.
	// 3. Test each method: at the tail, at the head, both mixed, into an empty
	//    queue.
	// 4. Test the queue again after it has been empty.
	panic(gmp.TODO("mine"))
}

// TestMine runs your test on the right queue, where it must pass, and on wrong
// ones, where it must fail.
func TestMine(t *testing.T) {
	suite.Suite.TestMine(t, solutions.Base("ch02"), solutions.Mutants("ch02"), mine)
}
