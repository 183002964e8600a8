package ch02_test

import (
	"testing"

	suite "gosched/chapters/ch02_onethread"
	"gosched/chapters/check"
	"gosched/solutions"
)

// Before you write the chapter, or after: what would happen? Each function is a question
// about a small change to correct code, and returns your answer: the name of the check
// that would then fail, or check.Nothing. The check predict makes the change and runs
// what you have named. It fails unless all answers are right; then it tells you which are
// not.

// keepsSchedlink: Globrunqget does not clear the Schedlink of the G that it takes.
//
//   - queue-fifo: Gs would come out twice, or in another order
//   - queue-links: a G that has left the queue would lead back to it
//   - nothing: whoever queues the G sets its Schedlink anew
//
//course:exercise
func keepsSchedlink() string {
	//course:lead Is the global queue the only list that a G may be on?
	return "queue-links"
}

// unlocksBetween: Schedule takes the next G under s.Lock, and releases the lock. If there
// was none, it takes the lock again and calls Checkdead.
//
//   - schedule-empty: Checkdead would be called without the lock
//   - schedule-race: it would be called too late, for another queue than the one
//     looked at
//   - nothing: the queue is empty, so all others sleep, and none can put a G there
//
//course:exercise
func unlocksBetween() string {
	//course:lead With more Ms, does an empty queue mean that nothing runs?
	return "schedule-race"
}

// dropsQueued: GoschedImpl makes gp runnable; then, under s.Lock, it puts gp on the queue
// and after that calls Dropg; then it releases the lock and schedules.
//
//   - gosched-tail: gp would be on the queue and still belong to the M
//   - yield-race: another M could take gp from the queue while this M still holds it
//   - nothing: no M can take gp between the two
//
//course:exercise
func dropsQueued() string {
	//course:lead What does another M need to take a G from the queue?
	return check.Nothing
}

// TestPredict runs your answers.
func TestPredict(t *testing.T) {
	suite.Suite.TestPredict(t, solutions.Base("ch02"), solutions.Mutants("ch02"), solutions.Harmless("ch02"), []check.Prediction{
		{Change: "get-keeps-schedlink", Answer: keepsSchedlink},
		{Change: "schedule-two-looks", Answer: unlocksBetween},
		{Change: "gosched-drops-queued", Answer: dropsQueued},
	})
}
