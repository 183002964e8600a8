package ch18_test

import (
	"testing"

	suite "gosched/chapters/ch18_whole"
	"gosched/chapters/check"
	"gosched/solutions"
)

// Before you write the chapter, or after: what would happen? Each function is a question
// about a small change to correct code, and returns your answer: the name of the check
// that would then fail, or check.Nothing. The check predict makes the change and runs
// what you have named.

// idleFirst: MaskBusy clears the bit in Idlepmask first, and then sets the one in Timerpmask.
//
//   - race-timer: in between the P has no timers, according to its bit, and its M may set one
//   - race-masks: in between the P is not idle any more, and somebody looks at its queue
//   - nothing: no M has the P until s.Lock is free, so there is nothing on it that could be missed
//
//course:exercise
func idleFirst() string {
	//course:lead When can the first M do something with the P?
	return check.Nothing
}

// noMarker: an M that has given up looks once more at the queues and the timers, but not for GC work.
//
//   - race-marker: a collection begins just then, and the M that began it wakes nobody, since one spins
//   - race-submit: the worker that marks is a G on a queue, and it is forgotten like any other
//   - nothing: the next M that looks for work finds the worker
//
//course:exercise
func noMarker() string {
	//course:lead Which M would be the next, if all other Ps are busy with Gs that never end?
	return "race-marker"
}

// looksCounted: an M that gives up looks at everything once more, and only then leaves Nmspinning.
//
//   - race-submit: a G that is queued after the look has an M that relies on the one that is about to sleep
//   - race-poller: two Ms would wait for the network
//   - nothing: the queues are looked at twice anyway
//
//course:exercise
func looksCounted() string {
	//course:lead What does Wakep see between the look and the end of the counting?
	return "race-submit"
}

// TestPredict runs your answers.
func TestPredict(t *testing.T) {
	suite.Suite.TestPredict(t, solutions.Base("ch18"), solutions.Mutants("ch18"), solutions.Harmless("ch18"), []check.Prediction{
		{Change: "busy-idle-first", Answer: idleFirst},
		{Change: "no-marker", Answer: noMarker},
		{Change: "looks-counted", Answer: looksCounted},
	})
}
