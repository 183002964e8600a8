// This file is yours: what you write in it is kept. The task is in README.md
// beside it, and this command checks your code:
//
//	go run ./autograder test ch17

package ch17_test

import (
	"testing"

	suite "gosched/chapters/ch17_stw"
	"gosched/chapters/check"
	"gosched/solutions"
)

// Before you write the chapter, or after: what would happen? Each function is a question
// about a small change to correct code, and returns your answer: the name of the check
// that would then fail, or check.Nothing. The check predict makes the change and runs
// what you have named.

// countLate: StopTheWorldWithSema sets Gcwaiting, and then Stopwait, instead of the other way
// round.
//
//   - race-enter: an M that enters a system call in between would count the P in the old Stopwait
//   - race-last: an M that looks for a G in between would do so
//   - nothing: whoever has seen Gcwaiting needs something else before it may count
func countLate() string {
	panic(check.TODO("countLate"))
}

// flagLate: StopTheWorldWithSema looks for Ps in system calls, and then sets Gcwaiting, all of it
// with s.Lock held.
//
//   - race-enter: an M may enter a system call between the two
//   - race-return: an M may return from one between the two
//   - nothing: s.Lock keeps all others out
func flagLate() string {
	panic(check.TODO("flagLate"))
}

// withoutWakep: StartTheWorldWithSema starts an M for each P with work, and calls Wakep no more.
//
//   - race-work: a G on the queue of a P would wait
//   - race-spin: a G would wait for which nobody was woken, because an M spun
//   - nothing: whoever has made a G ready has called Wakep
func withoutWakep() string {
	panic(check.TODO("withoutWakep"))
}

// onceOver: GcMarkDone does not look again after it has given MarkDoneSema back.
//
//   - race-mark-done: a worker has come meanwhile, has found MarkDoneSema taken, and has gone
//   - mark-done: a P has kept something, and it would never be marked
//   - nothing: whoever marks the rest calls GcMarkDone afterwards
func onceOver() string {
	panic(check.TODO("onceOver"))
}

// TestPredict runs your answers.
func TestPredict(t *testing.T) {
	suite.Suite.TestPredict(t, solutions.Base("ch17"), solutions.Mutants("ch17"), solutions.Harmless("ch17"), []check.Prediction{
		{Change: "stop-count-late", Answer: countLate},
		{Change: "stop-flag-late", Answer: flagLate},
		{Change: "start-no-wakep", Answer: withoutWakep},
		{Change: "done-looks-once", Answer: onceOver},
	})
}
