// This file is yours: what you write in it is kept. The task is in README.md
// beside it, and this command checks your code:
//
//	go run ./autograder test ch10

package ch10_test

import (
	"testing"

	suite "gosched/chapters/ch10_spin"
	"gosched/chapters/check"
	"gosched/chapters/gmp"
	"gosched/solutions"
)

// mine tests Wakep of s. Report what is wrong with t.Errorf.
func mine(t check.TB, s *gmp.Sched) {
	// 1. A P and an M that are idle can be made by hand: gmp.NewP(0, 2) and
	//    Pidleput, &gmp.M{ID: 1} and Mput, with s.Lock. As long as s.Mnext is
	//    more than the number of idle Ms, nobody tells a deadlock.
	// 2. No P is idle: nobody may be woken or counted, and Needspinning must
	//    be set.
	// 3. A P is idle, but an M spins already (Nmspinning is 1): nothing may
	//    happen.
	// 4. A P is idle, and nobody spins: the idle M must be woken, with that P,
	//    counted, and Spinning.
	panic(gmp.TODO("mine"))
}

// TestMine runs your test on a right Wakep, where it must pass, and on wrong ones,
// where it must fail.
func TestMine(t *testing.T) {
	suite.Suite.TestMine(t, solutions.Base("ch10"), solutions.Mutants("ch10"), mine)
}
