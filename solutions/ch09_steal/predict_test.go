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
//
//course:exercise
func oddSteps() string {
	//course:lead Try it with 4 Ps, with 5 and with 6.
	return "each-once"
}

// asksItself: a thief does not leave out its own P: it steals from that one, too.
//
//   - not-own: it would steal from itself what is in its own ring
//   - race-owner: another thief could take the same G
//   - nothing: its own queue is empty, or it would not be here
//
//course:exercise
func asksItself() string {
	//course:lead Is it empty until StealWork returns? And which M may call Runqgrab on a P?
	return "not-own"
}

// looksBefore: before each Runqsteal it asks Runqempty, and goes on to the next P if that one
// has no G.
//
//   - four-passes: a P that seems to be empty would not be asked four times
//   - race-owner: a G that comes between the two calls would be lost
//   - nothing: a G that comes just afterwards is missed, and could have come even a moment
//     later
//
//course:exercise
func looksBefore() string {
	//course:lead Does it make a difference whether Runqempty finds nothing, or Runqsteal?
	return check.Nothing
}

// TestPredict runs your answers.
func TestPredict(t *testing.T) {
	suite.Suite.TestPredict(t, solutions.Base("ch09"), solutions.Mutants("ch09"), solutions.Harmless("ch09"), []check.Prediction{
		{Change: "step-odd", Answer: oddSteps},
		{Change: "steals-from-itself", Answer: asksItself},
		{Change: "looks-before", Answer: looksBefore},
	})
}
