// This file is yours: what you write in it is kept. The task is in README.md
// beside it, and this command checks your code:
//
//	go run ./autograder test ch06

package ch06_test

import (
	"testing"

	suite "gosched/chapters/ch06_p"
	"gosched/chapters/check"
	"gosched/solutions"
)

// Before you write the chapter, or after: what would happen? Each function is a question
// about a small change to correct code, and returns your answer: the name of the check
// that would then fail, or check.Nothing. The check predict makes the change and runs
// what you have named.

// diesFirst: Procresize stores Pdead in the P that has to go, and only then takes its Gs,
// dead Gs and sudogs away.
//
//   - resize-caches: what is on a dead P could no longer be taken from it
//   - race-dying: an M without a P could see a dead P that still has something
//   - nothing: while the world is stopped no other M looks at a P
func diesFirst() string {
	panic(check.TODO("diesFirst"))
}

// remembers: when Releasep has taken mp's P away it stores the P in mp.Nextp, so that mp gets
// it back when it goes on.
//
//   - releasep: the P would not be idle, or not be returned
//   - race-handover: another M could bring mp another P, and find Nextp in use
//   - nothing: Nextp says what mp is to take next, and that is the case here
func remembers() string {
	panic(check.TODO("remembers"))
}

// givesOne: a P that has too many dead Gs gives just one of them away.
//
//   - free-own: a G would be dead on one P, and made new on another
//   - locks: the lock for all would be taken again and again
//   - nothing: no G is lost, and each list has a bound
func givesOne() string {
	panic(check.TODO("givesOne"))
}

// TestPredict runs your answers.
func TestPredict(t *testing.T) {
	suite.Suite.TestPredict(t, solutions.Base("ch06"), solutions.Mutants("ch06"), solutions.Harmless("ch06"), []check.Prediction{
		{Change: "dies-first", Answer: diesFirst},
		{Change: "releasep-remembers", Answer: remembers},
		{Change: "free-one", Answer: givesOne},
	})
}
