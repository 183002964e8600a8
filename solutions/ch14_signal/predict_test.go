package ch14_test

import (
	"testing"

	suite "gosched/chapters/ch14_signal"
	"gosched/chapters/check"
	"gosched/solutions"
)

// Before you write the chapter, or after: what would happen? Each function is a question
// about a small change to correct code, and returns your answer: the name of the check
// that would then fail, or check.Nothing. The check predict makes the change and runs
// what you have named.

// decidesLast: DoSigPreempt first says that the signal is answered, and then looks whether the G
// was asked to stop.
//
//   - race-signal: a request that comes in between would be lost
//   - answer: the G would stop before the signal is answered
//   - nothing: whoever asks in between sends another signal
//
//course:exercise
func decidesLast() string {
	//course:lead A request comes between the two. Was its signal sent, and what happens to it?
	return check.Nothing
}

// generationFirst: DoSigPreempt raises PreemptGen, and then clears SignalPending.
//
//   - race-signal: whoever looks in between would wait for an answer that has been given
//   - race-late: two signals would be under way at the same time
//   - nothing: both are done before anybody needs them
//
//course:exercise
func generationFirst() string {
	//course:lead Somebody looks at both, in between. What does it conclude from each?
	return "race-signal"
}

// dropsEarly: PreemptPark lets go of the G before it changes its state.
//
//   - race-park: an M that looks at a running G would find no M, or one that lets go of it
//   - suspend: SuspendG would find no M to send a signal to
//   - nothing: only its own M touches a running G
//
//course:exercise
func dropsEarly() string {
	//course:lead SuspendG holds the scan bit of a running G. What does it read then?
	return "race-park"
}

// TestPredict runs your answers.
func TestPredict(t *testing.T) {
	suite.Suite.TestPredict(t, solutions.Base("ch14"), solutions.Mutants("ch14"), solutions.Harmless("ch14"), []check.Prediction{
		{Change: "answer-decides-last", Answer: decidesLast},
		{Change: "answer-generation-first", Answer: generationFirst},
		{Change: "park-drops-early", Answer: dropsEarly},
	})
}
