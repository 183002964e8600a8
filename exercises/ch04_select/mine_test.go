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
func mine(t check.TB, s *gmp.Sched) {
	// 1. A new(gmp.SemaRoot) is an empty root, and nobody else uses it, so no
	//    lock is needed. s.Allm is an M. An address is any number but 0; it is
	//    only compared.
	// 2. A sudog that waits needs a G, to be told from others: &gmp.Sudog{G:
	//    new(gmp.G)}.
	// 3. Let several wait for each of several addresses, some of them with
	//    lifo.
	// 4. Take them out, an address at a time. Who must come? And what must be
	//    left in it?
	// 5. Let one more come, to an address for which others still wait. Are all
	//    of them still there?
	// 6. In the end nobody is left, for any address.
	panic(gmp.TODO("mine"))
}

// TestMine runs your test on right waiters, where it must pass, and on wrong ones,
// where it must fail.
func TestMine(t *testing.T) {
	suite.Suite.TestMine(t, solutions.Base("ch04"), solutions.Mutants("ch04"), mine)
}
