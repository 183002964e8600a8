// This file is yours: what you write in it is kept. The task is in README.md
// beside it, and this command checks your code:
//
//	go run ./autograder test ch13

package ch13_test

import (
	"testing"

	suite "gosched/chapters/ch13_stack"
	"gosched/chapters/check"
	"gosched/chapters/gmp"
	"gosched/solutions"
)

// mine tests Shrinkstack of s. Report what is wrong with t.Errorf.
//
// s.Malg(8192) makes a G with a stack of 8 KiB. It has no frames, so its Sched.SP can be
// set to where you like: as many bytes below the high end as are in use. Its state must be
// gmp.Gwaiting|gmp.Gscan, as if you had looked at a G that waits.
func mine(t check.TB, s *gmp.Sched) {
	// Question: Of a stack of 8 KiB, how many bytes may be in use at most so
	//           that it shrinks? And how many bytes does it have then?
	panic(gmp.TODO("mine"))
}

// TestMine runs your test on a correct Shrinkstack, where it must pass, and on wrong
// ones, where it must fail.
func TestMine(t *testing.T) {
	suite.Suite.TestMine(t, solutions.Base("ch13"), solutions.Mutants("ch13"), mine)
}
