// This file is yours: what you write in it is kept. The task is in README.md
// beside it, and this command checks your code:
//
//	go run ./autograder test ch01

package ch01_test

import (
	"testing"

	suite "gosched/chapters/ch01_goroutine"
	"gosched/chapters/check"
	"gosched/solutions"
)

// Before you write the chapter, or after: what would happen? Each function is a question
// about a small change to correct code, and returns your answer: the name of the check
// that would then fail, or check.Nothing. The check predict makes the change and runs
// what you have named. It fails unless all answers are right; then it tells you which are
// not.

// forgetsFirst: Goexit0 clears what the life of the G was about while the G still counts as
// running, and makes it dead afterwards. Everything else stays in its order.
//
//   - exit-forgets: as long as it counts as running it may be given something new to remember
//   - exit-race: another M would find a running G that has forgotten half of its life
//   - nothing: the G is in the hands of this M, before it is dead and for a while after
func forgetsFirst() string {
	panic(check.TODO("forgetsFirst"))
}

// letsGoFirst: Goexit0 lets M and G go of each other first, and makes the G dead
// afterwards. Everything else stays in its order.
//
//   - exit-order: the G would be on the free list while an M still holds it
//   - exit-race: another M that finds the G running would look for its M in vain
//   - nothing: until it is on the free list the G is in the hands of this M
func letsGoFirst() string {
	panic(check.TODO("letsGoFirst"))
}

// keepsGuard: Newproc1 leaves the guard of a G from the free list as it is, since its stack
// is where it was. A new G gets its guard as before.
//
//   - free-stacks: a G that was given a new stack would have the guard of the old
//     one
//   - new-second-life: the guard may be used for something other than the stack
//   - nothing: the guard is StackGuard above the low end, and that has not moved
func keepsGuard() string {
	panic(check.TODO("keepsGuard"))
}

// TestPredict runs your answers.
func TestPredict(t *testing.T) {
	suite.Suite.TestPredict(t, solutions.Base("ch01"), solutions.Mutants("ch01"), solutions.Harmless("ch01"), []check.Prediction{
		{Change: "forgets-while-running", Answer: forgetsFirst},
		{Change: "lets-go-too-early", Answer: letsGoFirst},
		{Change: "keeps-guard", Answer: keepsGuard},
	})
}
