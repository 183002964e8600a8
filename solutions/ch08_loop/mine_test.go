package ch08_test

import (
	"testing"

	suite "gosched/chapters/ch08_loop"
	"gosched/chapters/check"
	"gosched/chapters/gmp"
	"gosched/chapters/machine"
	"gosched/solutions"
)

// mine tests the tick of s: which G Nearby takes at which Schedtick. Report what is
// wrong with t.Errorf.
//
//course:exercise
func mine(t check.TB, s *gmp.Sched) {
	for tick := range uint32(130) {
		//course:step A P and an M made by hand will do: gmp.NewP(0, 4), &gmp.M{P: machine.CellOf(pp)}. Give s.Gomaxprocs a value, with Set.
		pp := gmp.NewP(0, 4)
		mp := &gmp.M{P: machine.CellOf(pp)}
		s.Gomaxprocs.Set(1)
		//course:step One G on the P, by Runqput, and two on the global queue, by Globrunqput, with s.Lock. Empty that queue first: s.Runq.Set(gmp.GQueue{}).
		own, first, second := &gmp.G{Goid: machine.CellOf[int64](1)}, &gmp.G{Goid: machine.CellOf[int64](2)}, &gmp.G{Goid: machine.CellOf[int64](3)}
		s.Runqput(pp, own, false)
		s.Lock.Lock()
		s.Runq.Set(gmp.GQueue{})
		s.Globrunqput(first)
		s.Globrunqput(second)
		s.Lock.Unlock()
		//course:step Set pp.Schedtick and call Nearby. Which G must it be? And how many are on the global queue afterwards, s.Runq.Get().Size?
		pp.Schedtick.Set(tick)
		got, _ := s.Nearby(mp)
		want, left := own, int32(2)
		if tick%61 == 0 {
			want, left = first, 1
		}
		if got != want || s.Runq.Get().Size != left {
			t.Errorf("at tick %d Nearby takes another G, or another number of them", tick)
			return
		}
	}
}

// TestMine runs your test on a right Nearby, where it must pass, and on wrong ones,
// where it must fail.
func TestMine(t *testing.T) {
	suite.Suite.TestMine(t, solutions.Base("ch08"), solutions.Mutants("ch08"), mine)
}
