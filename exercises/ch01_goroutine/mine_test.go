// This file is yours: what you write in it is kept. The task is in README.md
// beside it, and this command checks your code:
//
//	go run ./autograder test ch01

package ch01_test

import (
	"testing"

	suite "gosched/chapters/ch01_goroutine"
	"gosched/chapters/check"
	"gosched/chapters/gmp"
	"gosched/solutions"
)

// mine is a test of the parts of this chapter in s, which has run nothing yet. An M to
// call them with is s.Allm.Load(), and s.Malg(gmp.StartingStack) gives a G to play with,
// which is Gidle. A part that throws panics here: assert.Panics(t, func() { … }) catches
// it. Report with t.Errorf, or with the functions of github.com/stretchr/testify/assert.
//
// The wrong parts that it must tell from correct ones are any-edge,
// blind-store, free-list-is-a-queue and keeps-grown-stacks.
func mine(t check.TB, s *gmp.Sched) {
	panic(gmp.TODO("mine"))
}

// TestMine runs mine on the correct parts, where it must pass, and on wrong
// ones, where it must fail.
func TestMine(t *testing.T) {
	suite.Suite.TestMine(t, solutions.Base("ch01"), solutions.Mutants("ch01"), mine)
}
