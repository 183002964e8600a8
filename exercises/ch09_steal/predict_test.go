// This file is yours: what you write in it is kept. The task is in README.md
// beside it, and this command checks your code:
//
//	go run ./autograder test ch09

package ch09_test

import (
	"testing"

	suite "gosched/chapters/ch09_steal"
	"gosched/chapters/check"
	"gosched/solutions"
)

// Before you write the chapter, or after: what would happen? Each function is a question
// about a small change to correct code, and returns your answer: the name of the check
// that would then fail, or check.Nothing. The check predict makes the change and runs
// what you have named.

// oddSteps: the order of a pass starts at random, and goes on in steps of a random odd size.
//
//   - each-once: a pass could visit some Ps several times, and leave others out
//   - random-order: two passes would have the same order too often
//   - nothing: an odd step visits each P once
func oddSteps() string {
	panic(check.TODO("oddSteps"))
}

// asksItself: a thief does not leave out its own P: it steals from that one, too.
//
//   - not-own: it would steal from itself what is in its own ring
//   - race-owner: another thief could take the same G
//   - nothing: its own queue is empty, or it would not be here
func asksItself() string {
	panic(check.TODO("asksItself"))
}

// looksBefore: before each Runqsteal it asks Runqempty, and goes on to the next P if that one
// has no G.
//
//   - four-passes: a P that seems to be empty would not be asked four times
//   - race-owner: a G that comes between the two calls would be lost
//   - nothing: a G that comes just afterwards is missed, and could have come even a moment
//     later
func looksBefore() string {
	panic(check.TODO("looksBefore"))
}

// TestPredict runs your answers.
func TestPredict(t *testing.T) {
	suite.Suite.TestPredict(t, solutions.Base("ch09"), solutions.Mutants("ch09"), solutions.Harmless("ch09"), []check.Prediction{
		{Change: "step-odd", Answer: oddSteps},
		{Change: "steals-from-itself", Answer: asksItself},
		{Change: "looks-before", Answer: looksBefore},
	})
}
