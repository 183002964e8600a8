// This file is yours: what you write in it is kept. The task is in README.md
// beside it, and this command checks your code:
//
//	go run ./autograder test ch08

package ch08_test

import (
	"testing"

	suite "gosched/chapters/ch08_loop"
	"gosched/chapters/check"
	"gosched/solutions"
)

// Before you write the chapter, or after: what would happen? Each function is a question
// about a small change to correct code, and returns your answer: the name of the check
// that would then fail, or check.Nothing. The check predict makes the change and runs
// what you have named.

// looksBefore: when FindRunnable has found nothing it looks at Gcwaiting once more, as before;
// but just before it takes s.Lock, and not while it holds it.
//
//   - race-stop: the M that stops the world would wait for a P that no M stops
//   - race-overflow: a G would stay on the global queue beside an idle P
//   - nothing: it has looked twice, and looks again at the start of the next round
func looksBefore() string {
	panic(check.TODO("looksBefore"))
}

// believesSize: in Nearby Runqsize says that there are Gs on the global queue. Nearby takes
// the lock, calls Globrunqgetlocal, and returns what that gives, a G or nil.
//
//   - nearby-late: it would return nil although the network has a G
//   - race-overflow: a G would stay on the global queue beside an idle P
//   - nothing: under the lock there are as many as Runqsize said
func believesSize() string {
	panic(check.TODO("believesSize"))
}

// locksEarly: GoschedImpl takes s.Lock before everything else: it changes the state of the G,
// lets go of it and queues it with the lock held, and then releases the lock.
//
//   - yield: the lock would be held when the G lets go of its M
//   - race-gosched: another M could have the G before it is let go
//   - nothing: until the G is queued no other M knows of it
func locksEarly() string {
	panic(check.TODO("locksEarly"))
}

// TestPredict runs your answers.
func TestPredict(t *testing.T) {
	suite.Suite.TestPredict(t, solutions.Base("ch08"), solutions.Mutants("ch08"), solutions.Harmless("ch08"), []check.Prediction{
		{Change: "find-sees-stop-early", Answer: looksBefore},
		{Change: "nearby-believes-hint", Answer: believesSize},
		{Change: "yield-locks-early", Answer: locksEarly},
	})
}
