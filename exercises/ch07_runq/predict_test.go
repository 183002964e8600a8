// This file is yours: what you write in it is kept. The task is in README.md
// beside it, and this command checks your code:
//
//	go run ./autograder test ch07

package ch07_test

import (
	"testing"

	suite "gosched/chapters/ch07_runq"
	"gosched/chapters/check"
	"gosched/solutions"
)

// Before you write the chapter, or after: what would happen? Each function is a question
// about a small change to correct code, and returns your answer: the name of the check
// that would then fail, or check.Nothing. The check predict makes the change and runs
// what you have named.

// slotsLater: Runqgrab moves the head first, and copies the slots afterwards. On one thread
// that is the same. Is it the same with more?
//
//   - steal: the thief would get other Gs, or in another order
//   - race-lap: what the thief copies would not always be what it has taken
//   - nothing: what is past the head belongs to the thief, so no other M
//     touches it
func slotsLater() string {
	panic(check.TODO("slotsLater"))
}

// tailFirst: Runqempty looks at the tail, then at the head, then at Runnext, and at the tail
// again as before.
//
//   - race-empty: it would not see a G that is kicked out of Runnext
//   - empty: it would be wrong even on one thread
//   - nothing: all that matters is that the tail is the same at both looks
func tailFirst() string {
	panic(check.TODO("tailFirst"))
}

// thiefTailFirst: Runqgrab looks at the tail, and then at the head; everything else is as
// before.
//
//   - race-half: it would see more Gs than there are, and overwrite some of its own
//   - race-spare: it would find nothing, although something was there all the time
//   - nothing: the head is compared again when it is moved, so an old tail does no harm
func thiefTailFirst() string {
	panic(check.TODO("thiefTailFirst"))
}

// TestPredict runs your answers.
func TestPredict(t *testing.T) {
	suite.Suite.TestPredict(t, solutions.Base("ch07"), solutions.Mutants("ch07"), solutions.Harmless("ch07"), []check.Prediction{
		{Change: "slots-after-cas", Answer: slotsLater},
		{Change: "empty-tail-first", Answer: tailFirst},
		{Change: "tail-before-head", Answer: thiefTailFirst},
	})
}
