package ch03_test

import (
	"testing"

	suite "gosched/chapters/ch03_park"
	"gosched/chapters/check"
	"gosched/solutions"
)

// Before you write the chapter, or after: what would happen? Each function is a question
// about a small change to correct code, and returns your answer: the name of the check
// that would then fail, or check.Nothing. The check predict makes the change and runs
// what you have named. It fails unless all answers are right; then it tells you which are
// not.

// unlocksBetween: Closechan sets Closed, releases the lock, takes it again, takes all that
// wait off the queues, releases the lock and makes them ready. Chanrecv looks, as yours does,
// for a waiting sender first, then into the buffer, and at Closed last.
//
//   - race-close-receive: a receiver that comes in between would wait, and nothing would wake
//     it
//   - race-close-senders: a receiver that comes in between would get a value from a sender that is to panic
//   - nothing: a G that comes in between finds the channel closed
//
//course:exercise
func unlocksBetween() string {
	//course:lead Go through the looks of a receiver that comes in between. Which of them is the first to find something?
	return "race-close-senders"
}

// closedFirst: Closechan is that of unlocksBetween, but Chanrecv looks at Closed first, as
// Go 1.26 does. On a closed channel it takes what is in the buffer, else it gets a zero
// value; it looks for a sender only on an open one.
//
//   - race-close-senders: a sender that is to panic would still be found, as before
//   - race-closes: a second close that comes in between would also empty the queues
//   - nothing: no operation that comes in between would take a G off a queue
//
//course:exercise
func closedFirst() string {
	//course:lead For each operation: what does it look at before the queues, and what does it find there once Closed is set?
	return check.Nothing
}

// sendxLate: Chansend puts its value into the buffer, in slot Sendx, and counts it, releases
// the lock, and then moves Sendx on.
//
//   - race-buffer: a receiver that comes in between would take from the wrong slot
//   - race-slots: a sender that comes in between would use the same slot
//   - nothing: the value is in its slot and counted, and Qcount tells full from empty
//
//course:exercise
func sendxLate() string {
	//course:lead What reads Sendx, what reads Recvx, and where does an operation that comes in between put or take a value?
	return "race-slots"
}

// TestPredict runs your answers.
func TestPredict(t *testing.T) {
	suite.Suite.TestPredict(t, solutions.Base("ch03"), solutions.Mutants("ch03"), solutions.Harmless("ch03"), []check.Prediction{
		{Change: "close-in-two-steps", Answer: unlocksBetween},
		{Change: "close-in-two-steps-closed-first", Answer: closedFirst},
		{Change: "buffer-index-late", Answer: sendxLate},
	})
}
