// This file is yours: what you write in it is kept. The task is in README.md
// beside it, and this command checks your code:
//
//	go run ./autograder test ch04

package ch04_test

import (
	"testing"

	suite "gosched/chapters/ch04_select"
	"gosched/chapters/check"
	"gosched/chapters/gmp"
	"gosched/solutions"
)

// mine tests the waiters of semaphores of s: SemaQueue and SemaDequeue. Report what
// is wrong with t.Errorf.
//
// new(gmp.SemaRoot) is an empty root; nothing else uses it, so no lock is needed.
// s.Allm.Load() is an M. An address is any number but 0; it is only compared. A sudog
// that waits has a G, by which it can be told from others: &gmp.Sudog{G:
// machine.CellOf(new(gmp.G))}. Its Blank tells whether all fields are zero.
func mine(t check.TB, s *gmp.Sched) {
	// Question: A step goes wrong and all looks well. In which of the sudogs
	//           that come or leave after it does it show?
	panic(gmp.TODO("mine"))
}

// TestMine runs your test on correct waiters, where it must pass, and on wrong
// ones, where it must fail.
func TestMine(t *testing.T) {
	suite.Suite.TestMine(t, solutions.Base("ch04"), solutions.Mutants("ch04"), mine)
}
