// This file is yours: what you write in it is kept. The task is in README.md
// beside it, and this command checks your code:
//
//	go run ./autograder test ch11

package ch11_test

import (
	"testing"

	suite "gosched/chapters/ch11_syscall"
	"gosched/chapters/check"
	"gosched/chapters/gmp"
	"gosched/solutions"
)

// mine tests ExitsyscallFast of s. Report what is wrong with t.Errorf.
//
// Ps can be made by hand: gmp.NewP(0, 2) is Pidle and belongs to no M, and with s.Lock held
// s.Pidleput(pp, 1) makes it idle. An M is &gmp.M{}; without a P it has entered a call.
func mine(t check.TB, s *gmp.Sched) {
	// Question: There are three situations in which ExitsyscallFast may be
	//           called. Which P does the M have afterwards in each, and what
	//           says so?
	panic(gmp.TODO("mine"))
}

// TestMine runs your test on a correct ExitsyscallFast, where it must pass, and on wrong
// ones, where it must fail.
func TestMine(t *testing.T) {
	suite.Suite.TestMine(t, solutions.Base("ch11"), solutions.Mutants("ch11"), mine)
}
