// This file is yours: what you write in it is kept. The task is in README.md
// beside it, and this command checks your code:
//
//	go run ./autograder test ch09

package ch09_test

import (
	"testing"

	suite "gosched/chapters/ch09_steal"
	"gosched/chapters/check"
	"gosched/chapters/gmp"
	"gosched/solutions"
)

// mine tests StealWork of s. Report what is wrong with t.Errorf.
func mine(t check.TB, s *gmp.Sched) {
	// 1. Make some Ps, 6 say, with gmp.NewP, and put them in s.Allp (Set);
	//    s.Gomaxprocs is their number. An M made by hand will do as the thief:
	//    &gmp.M{P: machine.CellOf(pp)}; its Fastrand is where its random
	//    numbers begin.
	// 2. Put one G on one of the others, by Runqput, and steal: that G must
	//    come. For each P in turn, and many times, since the order is random.
	// 3. Sometimes let it be in Runnext.
	// 4. Of four Gs two are stolen: one is returned, and the other one is on
	//    the thief's own queue.
	// 5. When the world is to stop (s.Gcwaiting), nothing is stolen, and there
	//    is new work.
	panic(gmp.TODO("mine"))
}

// TestMine runs your test on a right StealWork, where it must pass, and on wrong ones,
// where it must fail.
func TestMine(t *testing.T) {
	suite.Suite.TestMine(t, solutions.Base("ch09"), solutions.Mutants("ch09"), mine)
}
