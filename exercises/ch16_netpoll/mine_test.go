// This file is yours: what you write in it is kept. The task is in README.md
// beside it, and this command checks your code:
//
//	go run ./autograder test ch16

package ch16_test

import (
	"testing"

	suite "gosched/chapters/ch16_netpoll"
	"gosched/chapters/check"
	"gosched/chapters/gmp"
	"gosched/solutions"
)

// mine tests Netpollunblock of s. Report what is wrong with t.Errorf.
//
// s.Pollalloc(3) makes a PollDesc of which both halves are nil; pd.Rg.Store puts something there.
// Any &gmp.G{} will do for a G. check.Name says in words what is in a half.
func mine(t check.TB, s *gmp.Sched) {
	// Question: What may be in a half, and what becomes of it, with ioready
	//           and without? In which cases is something returned?
	panic(gmp.TODO("mine"))
}

// TestMine runs your test on a correct Netpollunblock, where it must pass, and on wrong ones,
// where it must fail.
func TestMine(t *testing.T) {
	suite.Suite.TestMine(t, solutions.Base("ch16"), solutions.Mutants("ch16"), mine)
}
