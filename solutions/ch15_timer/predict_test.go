package ch15_test

import (
	"testing"

	suite "gosched/chapters/ch15_timer"
	"gosched/chapters/check"
	"gosched/solutions"
)

// Before you write the chapter, or after: what would happen? Each function is a question
// about a small change to correct code, and returns your answer: the name of the check
// that would then fail, or check.Nothing. The check predict makes the change and runs
// what you have named.

// timeFirst: ModTimer lowers MinWhenModified, and the mark in Astate follows when the timer is
// unlocked.
//
//   - race-adjust: Adjust would clear the time, and pass the timer by
//   - race-sleep: an M that falls asleep would not see the time
//   - nothing: both are written before ModTimer returns
//
//course:exercise
func timeFirst() string {
	//course:lead Adjust clears MinWhenModified, and then goes through all timers. Where is ModTimer meanwhile?
	return "race-adjust"
}

// looksTwice: CheckTimers, when it has the lock, looks at WakeTime once more, and gives up if
// nothing is due any more.
//
//   - race-thieves: a timer that another M has put back would be passed by
//   - due: pollUntil would be 0 although there are timers
//   - nothing: the other M has run what was due
//
//course:exercise
func looksTwice() string {
	//course:lead WakeTime is never too late. And under the lock no timer is on its way between two places.
	return check.Nothing
}

// hidesSend: UnlockAndRun does not count a send that it has decided on in IsSending.
//
//   - race-stop: StopTimer would report that the timer had fired
//   - race-thieves: the timer would fire twice
//   - nothing: Seq keeps the value from being sent
//
//course:exercise
func hidesSend() string {
	//course:lead Nothing is sent. Who is told that something was?
	return "race-stop"
}

// TestPredict runs your answers.
func TestPredict(t *testing.T) {
	suite.Suite.TestPredict(t, solutions.Base("ch15"), solutions.Mutants("ch15"), solutions.Harmless("ch15"), []check.Prediction{
		{Change: "mod-time-first", Answer: timeFirst},
		{Change: "check-looks-twice", Answer: looksTwice},
		{Change: "fire-hides-send", Answer: hidesSend},
	})
}
