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
//
// Ps are made by gmp.NewP(0, 4), and go into s.Allp, which has Set; s.Gomaxprocs is their
// number. An M made by hand will do as the thief: &gmp.M{P: machine.CellOf(pp)}. Its Fastrand
// is where its random numbers start. s.Gcwaiting says that the world is to stop.
func mine(t check.TB, s *gmp.Sched) {
	// Question: With how many Ps, and how often, must you ask to catch a thief
	//           that overlooks one of them only sometimes?
	panic(gmp.TODO("mine"))
}

// TestMine runs your test on a correct StealWork, where it must pass, and on wrong
// ones, where it must fail.
func TestMine(t *testing.T) {
	suite.Suite.TestMine(t, solutions.Base("ch09"), solutions.Mutants("ch09"), mine)
}
