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
//
// new(gmp.M) is an M without a P, and s has none yet. Procresize and Pidleget are called
// with s.Lock held. Nothing runs, so the world is stopped; but then no P is on the list of
// idle ones: take those off by Pidleget(1). A G is &gmp.G{Goid: machine.CellOf(int64(1))},
// which is Grunnable if its Atomicstatus says so. What a P has: Runqput queues a G,
// pp.GFree.Push adds a dead one, and pp.Sudogcache is a Cell with a slice of sudogs, which
// may have as many as there is room for.
func mine(t check.TB, s *gmp.Sched) {
	// Question: What does a P have, and on which shared list would you look
	//           for each item?
	panic(gmp.TODO("mine"))
}

// TestMine runs your test on a correct Procresize, where it must pass, and on wrong
// ones, where it must fail.
func TestMine(t *testing.T) {
	suite.Suite.TestMine(t, solutions.Base("ch06"), solutions.Mutants("ch06"), mine)
}
