// This file is yours: what you write in it is kept. The task is in README.md
// beside it, and this command checks your code:
//
//	go run ./autograder test ch08

package ch08_test

import (
	"testing"

	suite "gosched/chapters/ch08_loop"
	"gosched/chapters/check"
	"gosched/chapters/gmp"
	"gosched/solutions"
)

// mine tests the tick of s: which G Nearby takes at which Schedtick. Report what is
// wrong with t.Errorf.
//
// A P and an M made by hand will do: pp := gmp.NewP(0, 4), &gmp.M{P: machine.CellOf(pp)}. Give
// s.Gomaxprocs and pp.Schedtick their values with Set. Globrunqput wants s.Lock held; what is
// on the global queue is s.Runq.Get(), and s.Runq.Set(gmp.GQueue{}) empties it.
func mine(t check.TB, s *gmp.Sched) {
	// Question: At which ticks does a wrong Nearby differ from a correct one,
	//           and how can you tell how many Gs it has taken?
	panic(gmp.TODO("mine"))
}

// TestMine runs your test on a correct Nearby, where it must pass, and on wrong
// ones, where it must fail.
func TestMine(t *testing.T) {
	suite.Suite.TestMine(t, solutions.Base("ch08"), solutions.Mutants("ch08"), mine)
}
