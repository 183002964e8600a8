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
//
//course:exercise
func lookThenLetGo() string {
	//course:lead Let another M queue a G between the look and giving back the P. What does Wakep need besides a count of 0?
	return "race-submit"
}

// clearsFirst: BecomeSpinning clears Needspinning first, and then counts the M.
//
//   - race-network: a sign could be cleared for an M that is not counted yet, and be forgotten
//   - race-submit: in between there is neither sign nor count, and an M gives its P back
//   - nothing: the M that set the sign had queued its G before, and this M looks after both
//
//course:exercise
func clearsFirst() string {
	//course:lead The M that sets the sign: when has it queued its G? And when does this M look?
	return check.Nothing
}

// signsLate: CheckRunqsNoP sees a G and finds no idle P. It sets Needspinning as before, but
// has released s.Lock first.
//
//   - race-network: an M that gives its P back in between would not see the sign
//   - check-runqs: the sign would not be set even on one thread
//   - nothing: the sign is atomic, and is set before this M sleeps
//
//course:exercise
func signsLate() string {
	//course:lead Which two operations does the lock keep in order, and of which two Ms?
	return "race-network"
}

// TestPredict runs your answers.
func TestPredict(t *testing.T) {
	suite.Suite.TestPredict(t, solutions.Base("ch10"), solutions.Mutants("ch10"), solutions.Harmless("ch10"), []check.Prediction{
		{Change: "recheck-with-p", Answer: lookThenLetGo},
		{Change: "needspinning-cleared-first", Answer: clearsFirst},
		{Change: "recheck-signs-late", Answer: signsLate},
	})
}
