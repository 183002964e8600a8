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
//
//course:exercise
func slotsLater() string {
	//course:lead Whose are the slots before the head?
	return "race-lap"
}

// tailFirst: Runqempty looks at the tail, then at the head, then at Runnext, and at the tail
// again as before.
//
//   - race-empty: it would not see a G that is kicked out of Runnext
//   - empty: it would be wrong even on one thread
//   - nothing: all that matters is that the tail is the same at both looks
//
//course:exercise
func tailFirst() string {
	//course:lead Name a G that would be overlooked: where is it at each of the looks?
	return check.Nothing
}

// thiefTailFirst: Runqgrab looks at the tail, and then at the head; everything else is as
// before.
//
//   - race-half: it would see more Gs than there are, and overwrite some of its own
//   - race-spare: it would find nothing, although something was there all the time
//   - nothing: the head is compared again when it is moved, so an old tail does no harm
//
//course:exercise
func thiefTailFirst() string {
	//course:lead How far can head and tail move between the two looks, and what is their difference then? For which differences is there no CAS?
	return "race-spare"
}

// TestPredict runs your answers.
func TestPredict(t *testing.T) {
	suite.Suite.TestPredict(t, solutions.Base("ch07"), solutions.Mutants("ch07"), solutions.Harmless("ch07"), []check.Prediction{
		{Change: "slots-after-cas", Answer: slotsLater},
		{Change: "empty-tail-first", Answer: tailFirst},
		{Change: "tail-before-head", Answer: thiefTailFirst},
	})
}
