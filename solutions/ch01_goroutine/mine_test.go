package ch01_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

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
//
//course:exercise
func mine(t check.TB, s *gmp.Sched) {
	mp := s.Allm.Load()

	//course:step any-edge: let Casgstatus make a move that is not an arrow of the diagram, say from dead to running. It must throw.
	gp := s.Malg(gmp.StartingStack)
	s.Casgstatus(gp, gmp.Gidle, gmp.Gdead)
	assert.Panics(t, func() { s.Casgstatus(gp, gmp.Gdead, gmp.Grunning) }, "a dead G must not run")

	//course:step blind-store: let it make a legal move, but for a G that is in another state.
	assert.Panics(t, func() { s.Casgstatus(gp, gmp.Gwaiting, gmp.Grunnable) }, "a dead G is not waiting")

	//course:step free-list-is-a-queue: put dead Gs on the free list. Which one must Gfget return first?
	other := s.Malg(gmp.StartingStack)
	s.Casgstatus(other, gmp.Gidle, gmp.Gdead)
	s.Gfput(mp, gp)
	s.Gfput(mp, other)
	assert.Same(t, other, s.Gfget(mp), "the G that was put last must come out first")

	//course:step keeps-grown-stacks: put a G whose stack is not of StartingStack bytes. What must the G look like afterwards?
	big := s.Malg(4 * gmp.StartingStack)
	s.Casgstatus(big, gmp.Gidle, gmp.Gdead)
	s.Gfput(mp, big)
	assert.Zero(t, big.Stack.Get(), "a grown stack must not be kept")
}

// TestMine runs mine on the correct parts, where it must pass, and on wrong
// ones, where it must fail.
func TestMine(t *testing.T) {
	suite.Suite.TestMine(t, solutions.Base("ch01"), solutions.Mutants("ch01"), mine)
}
