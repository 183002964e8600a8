package ch10_test

import (
	"testing"

	"gosched/chapters/check/mutation"
)

// TestMutations proves that each change of one atomic operation is seen by a check, or
// that it is none.
func TestMutations(t *testing.T) {
	if testing.Short() {
		t.Skip("runs all checks on twelve wrong solutions")
	}
	subject := mutation.Subject{
		Chapter:  "ch10",
		Suite:    "gosched/chapters/ch10_spin",
		Solution: "gosched/solutions/ch10_spin",
	}
	t.Run("Wakeups", func(t *testing.T) {
		subject.Interface, subject.Receiver, subject.Constructor = "Wakeups", "wakeups", "NewWakeups"
		subject.Golden = "wakeups.golden"
		subject.Equivalent = map[string]string{
			"BecomeSpinning: p.s.Nmspinning.Add(1) and p.s.Needspinning.Store(false): stores swapped": "whoever sets Needspinning has queued its G before, and mp looks at the queues after both",
		}
		mutation.Test(t, subject)
	})
	t.Run("Finder", func(t *testing.T) {
		subject.Interface, subject.Receiver, subject.Constructor = "Finder", "finder", "NewFinder"
		subject.Golden = "finder.golden"
		subject.Equivalent = map[string]string{
			"FindRunnable: gp != nil and !mp.Spinning && s.Needspinning.Load(): stores swapped": "one lock covers both looks; if Needspinning is seen first, mp spins, and finds the G in the global queue in the next round",
		}
		mutation.Test(t, subject)
	})
}
