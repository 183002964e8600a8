package ch05_test

import (
	"testing"

	suite "gosched/chapters/ch05_threads"
	"gosched/chapters/check"
	"gosched/chapters/gmp"
	"gosched/solutions"
)

// mine tests the list of idle Ms of s: Mput and Mget, which are called with s.Lock held.
// Report what is wrong with t.Errorf. Ms made by hand will do: &gmp.M{ID: 1}. As long as
// s.Mnext, the number of all Ms, is greater than the number of idle ones, Checkdead is
// content.
//
//course:exercise
func mine(t check.TB, s *gmp.Sched) {
	//course:question A list that was filled and emptied looks like a new one. Is it?
	//course:step Make some Ms, and let s.Mnext say that there are more.
	var ms [3]*gmp.M
	for i := range ms {
		ms[i] = &gmp.M{ID: int64(i + 1)}
	}
	s.Mnext.Set(10)
	//course:step The methods are called with s.Lock.
	s.Lock.Lock()
	defer s.Lock.Unlock()
	//course:step Fill the list, and empty it: the last comes out first. Do it twice, since a list that has been empty is not the same as a new one.
	for range 2 {
		for i, mp := range ms {
			s.Mput(mp)
			if s.Nmidle.Get() != int32(i+1) {
				t.Errorf("%d Ms were put, and %d are counted", i+1, s.Nmidle.Get())
			}
		}
		for i := len(ms) - 1; i >= 0; i-- {
			mp := s.Mget()
			if mp != ms[i] {
				t.Errorf("Mget does not return the M that was put last")
				return
			}
			//course:step An M that is taken is no longer counted, and points to no other.
			if s.Nmidle.Get() != int32(i) {
				t.Errorf("%d Ms are left, and %d are counted", i, s.Nmidle.Get())
			}
			if mp.Schedlink.Get() != nil {
				t.Errorf("an M that was taken has a link")
			}
		}
		//course:step An empty list has none to give.
		if s.Mget() != nil {
			t.Errorf("an empty list has an M")
			return
		}
	}
}

// TestMine runs your test on a correct list, where it must pass, and on wrong
// ones, where it must fail.
func TestMine(t *testing.T) {
	suite.Suite.TestMine(t, solutions.Base("ch05"), solutions.Mutants("ch05"), mine)
}
