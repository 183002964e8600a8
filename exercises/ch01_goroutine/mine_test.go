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

// mine is a test of the parts of this chapter in s, which has run nothing yet.
// An M to call them with is s.Allm. It reports by t.Errorf, or by the functions
// of github.com/stretchr/testify/assert.
func mine(t check.TB, s *gmp.Sched) {
	// 1. any-edge: let Casgstatus make a move that is no arrow of the diagram,
	//    say from dead to running. It must throw, and a throw is a Go panic:
	//    assert.Panics(t, func() { … }).
	// 2. blind-store: let it make a legal move, but for a G that is in another
	//    state.
	// 3. free-list-is-a-queue: put dead Gs on the free list. Which one must
	//    Gfget return first?
	// 4. keeps-grown-stacks: put a G whose stack is not of StartingStack
	//    bytes. What must the G look like afterwards?
	panic(gmp.TODO("mine"))
}

// TestMine runs mine on the right parts, where it must pass, and on wrong ones,
// where it must fail.
func TestMine(t *testing.T) {
	suite.Suite.TestMine(t, solutions.Base("ch01"), solutions.Mutants("ch01"), mine)
}
