// This file is yours: what you write in it is kept. The task is in README.md
// beside it, and this command checks your code:
//
//	go run ./autograder test ch12

package ch12_test

import (
	"testing"

	suite "gosched/chapters/ch12_sysmon"
	"gosched/chapters/check"
	"gosched/solutions"
)

// Before you write the chapter, or after: what would happen? Each function is a question
// about a small change to correct code, and returns your answer: the name of the check
// that would then fail, or check.Nothing. The check predict makes the change and runs
// what you have named.

// requestsCount: Retake returns how many Ps it has taken, plus how many Gs it has asked to stop.
//
//   - back-off: after a request Sysmon, which calls a Retake of the check's own there, would sleep for
//     20 µs instead of longer
//   - calls: Retake would return a wrong number
//   - nothing: a round in which a G was asked was not idle, so the monitor should be quick again
func requestsCount() string {
	panic(check.TODO("requestsCount"))
}

// alwaysLocks: SysmonSleep has no look without the lock. It takes s.Lock in each round.
//
//   - race-sleep: an M that takes a P would have to wait for the monitor
//   - deep: there would be a sleep where there must be none
//   - nothing: the look without the lock decides nothing
func alwaysLocks() string {
	panic(check.TODO("alwaysLocks"))
}

// looksAtClockEarly: Sysmon looks at the clock before SysmonSleep, and not after it.
//
//   - back-off: the monitor would sleep for too long
//   - duties: after a long sleep Retake would be told an old time
//   - nothing: the next round has the right time
func looksAtClockEarly() string {
	panic(check.TODO("looksAtClockEarly"))
}

// TestPredict runs your answers.
func TestPredict(t *testing.T) {
	suite.Suite.TestPredict(t, solutions.Base("ch12"), solutions.Mutants("ch12"), solutions.Harmless("ch12"), []check.Prediction{
		{Change: "retake-counts-requests", Answer: requestsCount},
		{Change: "sleep-looks-late", Answer: alwaysLocks},
		{Change: "old-time", Answer: looksAtClockEarly},
	})
}
