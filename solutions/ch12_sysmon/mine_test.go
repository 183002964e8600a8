package ch12_test

import (
	"testing"

	suite "gosched/chapters/ch12_sysmon"
	"gosched/chapters/check"
	"gosched/chapters/gmp"
	"gosched/solutions"
)

// mine tests the time slices of s.Retake. Report what is wrong with t.Errorf.
//
// Nothing runs on s. Make a P by gmp.NewP(0, 2), let its Status be gmp.Prunning, and put it into
// s.Allp. P.M leads to an M (&gmp.M{}) that is not the monitor's, and M.Curg to its G (&gmp.G{}),
// whose status does not matter here. A new P is in its slice number 0, which the monitor takes to
// have begun at time 0; set another Schedtick before the first look. The G was asked to stop if its
// Preempt is true. Times are in ns; each call of Retake may be given any time that is not before that
// of the last one.
//
//course:exercise
func mine(t check.TB, s *gmp.Sched) {
	//course:question What does Retake know of a slice that it sees for the first time? And what may happen between two looks?
	//course:step A P that runs a G.
	mp, gp, pp, mon := &gmp.M{}, &gmp.G{}, gmp.NewP(0, 2), &gmp.M{ID: -1}
	pp.Status.Store(gmp.Prunning)
	pp.M.Set(mp)
	mp.Curg.Set(gp)
	s.Allp.Set([]*gmp.P{pp})
	const ms = 1_000_000
	look := func(now int64, want bool) {
		gp.Preempt.Set(false)
		s.Retake(mon, now)
		if gp.Preempt.Get() != want {
			t.Errorf("at %d ns, in slice %d, the G was asked to stop: %v; want %v", now, pp.Schedtick.Get(), gp.Preempt.Get(), want)
		}
	}
	//course:step A slice begins: it may last for 10 ms from the first look on. After that the G is asked at each look.
	pp.Schedtick.Set(1)
	look(1*ms, false)
	look(6*ms, false)
	look(11*ms, true)
	look(12*ms, true)
	//course:step Another one begins: once more 10 ms.
	pp.Schedtick.Set(2)
	look(15*ms, false)
	look(24*ms, false)
	look(25*ms, true)
}

// TestMine runs your test on a correct Retake, where it must pass, and on wrong ones, where
// it must fail.
func TestMine(t *testing.T) {
	suite.Suite.TestMine(t, solutions.Base("ch12"), solutions.Mutants("ch12"), mine)
}
