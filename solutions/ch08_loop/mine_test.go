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
// A P and an M made by hand will do: pp := gmp.NewP(0, 4), &gmp.M{P: machine.CellOf(pp)}. Give
// s.Gomaxprocs and pp.Schedtick their values with Set. Globrunqput wants s.Lock held; what is
// on the global queue is s.Runq.Get(), and s.Runq.Set(gmp.GQueue{}) empties it.
//
//course:exercise
func mine(t check.TB, s *gmp.Sched) {
	//course:question At which ticks does a wrong Nearby differ from a correct one, and how can you tell how many Gs it has taken?
	for tick := range uint32(130) {
		//course:step For each number, beyond two multiples of 61: a P and an M.
		pp := gmp.NewP(0, 4)
		mp := &gmp.M{P: machine.CellOf(pp)}
		s.Gomaxprocs.Set(1)
		//course:step One G on the P, by Runqput, and two on the global queue, by Globrunqput. Empty that queue first.
		own, first, second := &gmp.G{Goid: machine.CellOf[int64](1)}, &gmp.G{Goid: machine.CellOf[int64](2)}, &gmp.G{Goid: machine.CellOf[int64](3)}
		s.Runqput(pp, own, false)
		s.Lock.Lock()
		s.Runq.Set(gmp.GQueue{})
		s.Globrunqput(first)
		s.Globrunqput(second)
		s.Lock.Unlock()
		//course:step Set pp.Schedtick and call Nearby. Which G must it be? And how many are on the global queue afterwards?
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

// TestMine runs your test on a correct Nearby, where it must pass, and on wrong
// ones, where it must fail.
func TestMine(t *testing.T) {
	suite.Suite.TestMine(t, solutions.Base("ch08"), solutions.Mutants("ch08"), mine)
}
