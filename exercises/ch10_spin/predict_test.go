// This file is yours: what you write in it is kept. The task is in README.md
// beside it, and this command checks your code:
//
//	go run ./autograder test ch10

package ch10_test

import (
	"testing"

	suite "gosched/chapters/ch10_spin"
	"gosched/chapters/check"
	"gosched/solutions"
)

// Before you write the chapter, or after: what would happen? Each function is a question
// about a small change to correct code, and returns your answer: the name of the check
// that would then fail, or check.Nothing. The check predict makes the change and runs
// what you have named.

// lookThenLetGo: an M that gives up takes itself out of Nmspinning, looks once more at all
// Ps, and only then gives its P back. So the order of the handshake is kept.
//
//   - race-submit: a G that is queued after the look would wait beside the P
//   - race-wake: two Ms would be woken for one G
//   - nothing: an M that queues a G after the look sees that no M spins, and wakes one
func lookThenLetGo() string {
	panic(check.TODO("lookThenLetGo"))
}

// clearsFirst: BecomeSpinning clears Needspinning first, and then counts the M.
//
//   - race-network: a sign could be cleared for an M that is not counted yet, and be forgotten
//   - race-submit: in between there is neither sign nor count, and an M gives its P back
//   - nothing: the M that set the sign had queued its G before, and this M looks after both
func clearsFirst() string {
	panic(check.TODO("clearsFirst"))
}

// signsLate: CheckRunqsNoP sees a G and finds no idle P. It sets Needspinning as before, but
// has released s.Lock first.
//
//   - race-network: an M that gives its P back in between would not see the sign
//   - check-runqs: the sign would not be set even on one thread
//   - nothing: the sign is atomic, and is set before this M sleeps
func signsLate() string {
	panic(check.TODO("signsLate"))
}

// TestPredict runs your answers.
func TestPredict(t *testing.T) {
	suite.Suite.TestPredict(t, solutions.Base("ch10"), solutions.Mutants("ch10"), solutions.Harmless("ch10"), []check.Prediction{
		{Change: "recheck-with-p", Answer: lookThenLetGo},
		{Change: "needspinning-cleared-first", Answer: clearsFirst},
		{Change: "recheck-signs-late", Answer: signsLate},
	})
}
