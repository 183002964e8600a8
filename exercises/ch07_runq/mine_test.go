// This file is yours: what you write in it is kept. The task is in README.md
// beside it, and this command checks your code:
//
//	go run ./autograder test ch07

package ch07_test

import (
	"testing"

	suite "gosched/chapters/ch07_runq"
	"gosched/chapters/gmp"
	"gosched/chapters/machine/explore"
	"gosched/solutions"
)

// mine is a model of the run queue of s: Runqput, Runqget and Runqgrab. It is called
// anew for each interleaving, with a new s.
func mine(m *explore.Model, s *gmp.Sched) {
	panic(gmp.TODO("mine"))
}

// TestMine runs your model on right queues, where it must pass, and on wrong ones,
// where it must fail.
func TestMine(t *testing.T) {
	suite.Suite.TestMineModel(t, solutions.Base("ch07"), solutions.Mutants("ch07"), mine)
}
