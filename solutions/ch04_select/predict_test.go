package ch04_test

import (
	"testing"

	suite "gosched/chapters/ch04_select"
	"gosched/chapters/check"
	"gosched/solutions"
)

// Before you write the chapter, or after: what would happen? Each function is a question
// about a small change to correct code, and returns your answer: the name of the check
// that would then fail, or check.Nothing. The check predict makes the change and runs
// what you have named.

// winsFirst: Dequeue first looks whether the select can be had, and makes this case the
// winner, while the sudog is still on its queue. Only then does it take the sudog off,
// whether it was the winner or not.
//
//   - winner-race: in between another M could win the same select
//   - select-partners: the select could be ready, and run, with a winner that is still queued
//   - nothing: the winner is decided in one step, and nothing else matters
//
//course:exercise
func winsFirst() string {
	//course:lead What makes the select ready, and which lock is held from the decision until then?
	return check.Nothing
}

// looksEarly: NotifyListNotifyOne reads Notify and Wait before it locks the list, and returns
// if they are equal. Otherwise it locks the list, sets Notify to one more than the value it
// read, and wakes the holder of the ticket that it read.
//
//   - notify-one: it would wake a G other than the holder of the oldest ticket
//   - notify-twice: of two simultaneous notifications one would be lost
//   - nothing: Notify is changed under the lock, and no ticket is ever taken back
//
//course:exercise
func looksEarly() string {
	//course:lead What is Notify when two Ms have read it, and what is it when both have set it?
	return "notify-twice"
}

// countsUnlocked: Semacquire1 counts itself in Nwait and then locks the root, not the other
// way round. Its last look is still under the lock.
//
//   - sema-missed: a release could find it counted, and nothing in the tree to
//     wake
//   - sema-acquire: Nwait would be wrong when everything is over
//   - nothing: a release that finds it counted has to wait for the lock
//
//course:exercise
func countsUnlocked() string {
	//course:lead A release finds Nwait 1 and nothing in the tree. What is the count then, and which G has not looked yet?
	return check.Nothing
}

// TestPredict runs your answers.
func TestPredict(t *testing.T) {
	suite.Suite.TestPredict(t, solutions.Base("ch04"), solutions.Mutants("ch04"), solutions.Harmless("ch04"), []check.Prediction{
		{Change: "dequeue-wins-first", Answer: winsFirst},
		{Change: "notify-one-looks-early", Answer: looksEarly},
		{Change: "sema-counts-unlocked", Answer: countsUnlocked},
	})
}
