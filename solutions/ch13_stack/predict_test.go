package ch13_test

import (
	"testing"

	suite "gosched/chapters/ch13_stack"
	"gosched/chapters/check"
	"gosched/solutions"
)

// Before you write the chapter, or after: what would happen? Each function is a question
// about a small change to correct code, and returns your answer: the name of the check
// that would then fail, or check.Nothing. The check predict makes the change and runs
// what you have named.

// asksFirst: Copystack looks at Preempt before it stores the new guard: if the G was asked to
// stop, it stores the poison, and otherwise the right guard.
//
//   - race-ask: a request that comes between the look and the store would be overwritten
//   - race-yield: a G that has stopped would be asked once more
//   - nothing: Preempt stays set, so the request is not lost
//
//course:exercise
func asksFirst() string {
	//course:lead What would look at Preempt again, and when?
	return "race-ask"
}

// freesEarly: Copystack frees the old stack, whose words are then poisoned, before it adjusts
// the context and the frames.
//
//   - copy-frames: the addresses in the frames would be poison
//   - disturbed: another G could get the old stack and write to it too early
//   - nothing: all that is still to be adjusted is on the new stack
//
//course:exercise
func freesEarly() string {
	//course:lead List what the rest of Copystack reads, and on which of the two stacks it stands.
	return check.Nothing
}

// locksOne: of the channels of a select Copystack locks only the first.
//
//   - race-chan: a value that is sent to the G would be lost
//   - race-select: a value that is sent on another channel of the select would be lost
//   - nothing: a select has one winner, and that is decided by one channel
//
//course:exercise
func locksOne() string {
	//course:lead Which lock does a sender on the second channel hold when it reads Elem?
	return "race-select"
}

// TestPredict runs your answers.
func TestPredict(t *testing.T) {
	suite.Suite.TestPredict(t, solutions.Base("ch13"), solutions.Mutants("ch13"), solutions.Harmless("ch13"), []check.Prediction{
		{Change: "copy-asks-first", Answer: asksFirst},
		{Change: "copy-frees-early", Answer: freesEarly},
		{Change: "copy-locks-one", Answer: locksOne},
	})
}
