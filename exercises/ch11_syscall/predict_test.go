// This file is yours: what you write in it is kept. The task is in README.md
// beside it, and this command checks your code:
//
//	go run ./autograder test ch11

package ch11_test

import (
	"testing"

	suite "gosched/chapters/ch11_syscall"
	"gosched/chapters/check"
	"gosched/solutions"
)

// Before you write the chapter, or after: what would happen? Each function is a question
// about a small change to correct code, and returns your answer: the name of the check
// that would then fail, or check.Nothing. The check predict makes the change and runs
// what you have named.

// tickAfter: Entersyscall notes the P's Syscalltick in the M as its last step, when the P is
// already Psyscall.
//
//   - race-retake: another M may be writing the tick of that P by then
//   - exit-own: the M would take its own call for another one
//   - nothing: the tick changes only when the call is over
func tickAfter() string {
	panic(check.TODO("tickAfter"))
}

// handsOffFirst: Entersyscallblock hands the P off while its G is still Grunning, and makes it
// Gsyscall afterwards.
//
//   - block: the G would be running without a P
//   - race-retake: the monitor could take the P from a G that is not in a call
//   - nothing: no M comes from that G to the P, and the P has left its M
func handsOffFirst() string {
	panic(check.TODO("handsOffFirst"))
}

// asksLate: ExitsyscallNoP asks whether its G is locked when the G is queued, and s.Lock free.
// The G is on the queue, so it does not run.
//
//   - race-idle: another M may have taken it from there, and it may run and lock itself
//   - exit-none: the M of a locked G would go on the list of idle ones
//   - nothing: a G that is queued does not change
func asksLate() string {
	panic(check.TODO("asksLate"))
}

// TestPredict runs your answers.
func TestPredict(t *testing.T) {
	suite.Suite.TestPredict(t, solutions.Base("ch11"), solutions.Mutants("ch11"), solutions.Harmless("ch11"), []check.Prediction{
		{Change: "enter-counts-late", Answer: tickAfter},
		{Change: "block-hands-off-first", Answer: handsOffFirst},
		{Change: "nop-asks-late", Answer: asksLate},
	})
}
