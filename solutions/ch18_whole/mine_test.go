package ch18_test

import (
	"testing"

	suite "gosched/chapters/ch18_whole"
	"gosched/chapters/check"
	"gosched/chapters/gmp"
	"gosched/solutions"
)

// mine tests MaskIdle and MaskBusy of s. Report what is wrong with t.Errorf.
//
// Ps can be made by hand: gmp.NewP(0, 2). s.Resizemasks(2) makes masks for two of them, none of which
// is idle, and each of which may have timers. A P has timers if pp.Timers.Len is not 0.
//
//course:exercise
func mine(t check.TB, s *gmp.Sched) {
	//course:question Two masks, two methods, with timers or without: what should each bit be afterwards?
	//course:step Two Ps, of which one has a timer.
	s.Resizemasks(2)
	none, one := gmp.NewP(0, 2), gmp.NewP(1, 2)
	one.Timers.Len.Store(1)
	s.Allp.Set([]*gmp.P{none, one})
	for _, pp := range []*gmp.P{none, one} {
		//course:step When it is idle, its bit in Idlepmask is set, and that in Timerpmask only if it has a timer.
		s.Lock.Lock()
		s.MaskIdle(pp)
		s.Lock.Unlock()
		if !s.Idlepmask.Get().Read(pp.ID) {
			t.Errorf("P%d is idle, and its bit in Idlepmask is not set", pp.ID)
		}
		if s.Timerpmask.Get().Read(pp.ID) != (pp == one) {
			t.Errorf("P%d is idle, and its bit in Timerpmask is wrong", pp.ID)
		}
		//course:step When it is not idle any more, it may have timers in any case.
		s.Lock.Lock()
		s.MaskBusy(pp)
		s.Lock.Unlock()
		if s.Idlepmask.Get().Read(pp.ID) {
			t.Errorf("P%d is not idle, and its bit in Idlepmask is set", pp.ID)
		}
		if !s.Timerpmask.Get().Read(pp.ID) {
			t.Errorf("P%d may have timers, and its bit in Timerpmask is not set", pp.ID)
		}
	}
}

// TestMine runs your test on correct masks, where it must pass, and on wrong ones, where it must
// fail.
func TestMine(t *testing.T) {
	suite.Suite.TestMine(t, solutions.Base("ch18"), solutions.Mutants("ch18"), mine)
}
