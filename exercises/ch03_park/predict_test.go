// This file is yours: what you write in it is kept. The task is in README.md
// beside it, and this command checks your code:
//
//	go run ./autograder test ch03

package ch03_test

import (
	"testing"

	suite "gosched/chapters/ch03_park"
	"gosched/chapters/check"
	"gosched/solutions"
)

// Before you write the chapter, or after: what would happen? Each function is a question
// about a small change of right code, and returns your answer: the name of the check that
// would fail then, or check.Nothing. The check predict makes the change and runs what you
// have named. It fails unless all answers are right; then it tells which are not.

// unlocksBetween: Closechan sets Closed, gives the lock back, takes it again, takes all
// who wait off the queues, gives the lock back and makes them ready.
//
//   - race-close-receive: a receiver that comes in between would wait, and nobody would wake it
//   - race-close-senders: a receiver that comes in between would get a value from a sender that is to panic
//   - nothing: whoever comes in between finds the channel closed
func unlocksBetween() string {
	panic(check.TODO("unlocksBetween"))
}

// closedLast: Chansend looks for a receiver that waits first, and then whether the channel
// is closed; the lock is held all the time.
//
//   - closed: a send on a closed channel would hand over a value
//   - race-close-send: a sender that comes after the close would go on
//   - nothing: on a closed channel there is no receiver that waits
func closedLast() string {
	panic(check.TODO("closedLast"))
}

// stateFirst: Gopark changes the state of gp to waiting, and then writes the reason. All
// else stays in its order.
//
//   - deadlock: the report in which the program ends would give wrong reasons
//   - park-reason: somebody could find a G that waits for what it waited for last time
//   - nothing: no waker can find gp before unlockf is called
func stateFirst() string {
	panic(check.TODO("stateFirst"))
}

// TestPredict runs what you say.
func TestPredict(t *testing.T) {
	suite.Suite.TestPredict(t, solutions.Base("ch03"), solutions.Mutants("ch03"), solutions.Harmless("ch03"), []check.Prediction{
		{Change: "close-in-two-steps", Answer: unlocksBetween},
		{Change: "send-closed-last", Answer: closedLast},
		{Change: "park-state-first", Answer: stateFirst},
	})
}
