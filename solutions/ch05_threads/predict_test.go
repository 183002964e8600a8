package ch05_test

import (
	"testing"

	suite "gosched/chapters/ch05_threads"
	"gosched/chapters/check"
	"gosched/solutions"
)

// Before you write the chapter, or after: what would happen? Each function is a question
// about a small change to correct code, and returns your answer: the name of the check
// that would then fail, or check.Nothing. The check predict makes the change and runs
// what you have named.

// yieldMatches: when GoschedImpl has queued the G, it calls Matchmg under the same lock, as
// Ready does.
//
//   - race-yield: two Ms could run the same G
//   - yield: a second M could be woken, or made, for one G
//   - nothing: the rule holds, whichever M takes the G
//
//course:exercise
func yieldMatches() string {
	//course:lead Of two Ms that may run one does, and nothing else is queued. What does each of them do after the yield?
	return "yield"
}

// countsWoken: Matchmg gives an idle M its G, wakes it, and only then counts it in Mcpu,
// before it looks whether one more may run.
//
//   - every-order: the M could be done with its G, and go to sleep, before it is
//     counted
//   - match-full: one M too many could be woken
//   - nothing: whatever reads Mcpu, or changes it, waits for the lock
//
//course:exercise
func countsWoken() string {
	//course:lead How far can the woken M get while Matchmg runs? What would it need to go on?
	return check.Nothing
}

// timersLast: Checkdead looks at the Gs first, and then at the timers.
//
//   - dead-timers: it would throw although a timer is about to make a G ready
//   - dead-gs: a deadlock would be reported in other words
//   - nothing: it throws only when both have been looked at
//
//course:exercise
func timersLast() string {
	//course:lead In which state is a G that a timer is just waking, and what does Checkdead make of such a G?
	return "dead-timers"
}

// TestPredict runs your answers.
func TestPredict(t *testing.T) {
	suite.Suite.TestPredict(t, solutions.Base("ch05"), solutions.Mutants("ch05"), solutions.Harmless("ch05"), []check.Prediction{
		{Change: "yield-matches", Answer: yieldMatches},
		{Change: "match-counts-woken", Answer: countsWoken},
		{Change: "dead-timers-last", Answer: timersLast},
	})
}
