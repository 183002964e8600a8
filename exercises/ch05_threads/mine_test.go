// This file is yours: what you write in it is kept. The task is in README.md
// beside it, and this command checks your code:
//
//	go run ./autograder test ch05

package ch05_test

import (
	"testing"

	suite "gosched/chapters/ch05_threads"
	"gosched/chapters/check"
	"gosched/chapters/gmp"
	"gosched/solutions"
)

// mine tests the list of idle Ms of s: Mput and Mget. Report what is wrong with
// t.Errorf.
func mine(t check.TB, s *gmp.Sched) {
	// 1. Ms made by hand will do: new(gmp.M). s.Mnext says how many there are;
	//    as long as it is more than are idle, Checkdead is content.
	// 2. The methods are called with s.Lock.
	// 3. Fill the list, and empty it: the last comes first. Twice, since a
	//    list that has been empty is another thing than a new one.
	// 4. Who is taken is counted no more, and points to nobody.
	// 5. An empty list has none to give.
	panic(gmp.TODO("mine"))
}

// TestMine runs your test on a right list, where it must pass, and on wrong ones,
// where it must fail.
func TestMine(t *testing.T) {
	suite.Suite.TestMine(t, solutions.Base("ch05"), solutions.Mutants("ch05"), mine)
}
