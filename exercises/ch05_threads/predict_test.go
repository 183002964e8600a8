// This file is yours: what you write in it is kept. The task is in README.md
// beside it, and this command checks your code:
//
//	go run ./autograder test ch05

package ch05_test

import (
	"testing"

	suite "gosched/chapters/ch05_threads"
	"gosched/chapters/check"
	"gosched/chapters/gmp"
	"gosched/solutions"
)

// Before you write the chapter, or after: what would happen? Each function is a question
// about a small change of right code, and returns your answer: the name of the check that
// would fail then, or check.Nothing. The check predict makes the change and runs what you
// have named.

// yieldMatches: when GoschedImpl has queued the G, it calls Matchmg under the same lock, as
// Ready does.
//
//   - race-yield: two Ms could run the same G
//   - yield: a second M could be woken, or made, for one G
//   - nothing: the rule holds, whoever takes the G
func yieldMatches() string {
	panic(gmp.TODO("yieldMatches"))
}

// locksFirst: GoschedImpl takes the lock at once, and not only to queue the G: the G changes
// its state and lets go of its M under the lock, too, and then the lock is given back.
//
//   - race-yield: an M that waits for the lock could take the G half let go
//   - interleaved: Schedule would want the lock that this M has
//   - nothing: the others wait a little longer for the lock
func locksFirst() string {
	panic(gmp.TODO("locksFirst"))
}

// timersLast: Checkdead looks at the Gs first, and then at the timers.
//
//   - dead-timers: it would throw although a timer is about to make a G ready
//   - dead-gs: a deadlock would be told with other words
//   - nothing: it throws only when both have been looked at
func timersLast() string {
	panic(gmp.TODO("timersLast"))
}

// TestPredict runs what you say.
func TestPredict(t *testing.T) {
	suite.Suite.TestPredict(t, solutions.Base("ch05"), solutions.Mutants("ch05"), solutions.Harmless("ch05"), []check.Prediction{
		{Change: "yield-matches", Answer: yieldMatches},
		{Change: "yield-locks-first", Answer: locksFirst},
		{Change: "dead-timers-last", Answer: timersLast},
	})
}
