package ch10_test

import (
	"testing"

	suite "gosched/chapters/ch10_spin"
	"gosched/chapters/check"
	"gosched/chapters/gmp"
	"gosched/solutions"
)

// mine tests Wakep of s. Report what is wrong with t.Errorf.
//
// A P and an M that are idle can be made by hand, with s.Lock held: gmp.NewP(0, 2) and
// s.Pidleput(pp, 1), &gmp.M{ID: 1} and s.Mput. As long as s.Mnext is more than the number of
// idle Ms no deadlock is reported.
//
//course:exercise
func mine(t check.TB, s *gmp.Sched) {
	//course:question There are three situations in which Wakep may be called. What must have changed afterwards in each, and what must not?
	mp := &gmp.M{}
	s.Mnext.Set(10)
	s.Gomaxprocs.Set(2)
	//course:step Make an idle M, and a P that is not idle yet.
	pp, idle := gmp.NewP(0, 2), &gmp.M{ID: 1}
	s.Lock.Lock()
	s.Mput(idle)
	s.Lock.Unlock()
	//course:step No P is idle: no M may be woken or counted, and Needspinning must be set.
	s.Wakep(mp)
	if s.Nmspinning.Load() != 0 || idle.Nextp.Get() != nil {
		t.Errorf("no P is idle, and after Wakep %d Ms spin", s.Nmspinning.Load())
	}
	if !s.Needspinning.Load() {
		t.Errorf("no P is idle, and Wakep does not set Needspinning")
	}
	s.Nmspinning.Store(0)
	//course:step A P is idle, but an M already spins (Nmspinning is 1): nothing may happen.
	s.Lock.Lock()
	s.Pidleput(pp, 1)
	s.Lock.Unlock()
	s.Nmspinning.Store(1)
	s.Wakep(mp)
	if s.Nmspinning.Load() != 1 || s.Npidle.Load() != 1 {
		t.Errorf("an M spins, and Wakep starts another one")
		return
	}
	//course:step A P is idle, and no M spins: the idle M must be woken, with that P, counted, and Spinning.
	s.Nmspinning.Store(0)
	s.Wakep(mp)
	if s.Nmspinning.Load() != 1 || !idle.Spinning.Get() || idle.Nextp.Get() != pp {
		t.Errorf("a P and an M are idle, and Wakep does not let the M spin with that P")
	}
}

// TestMine runs your test on a correct Wakep, where it must pass, and on wrong
// ones, where it must fail.
func TestMine(t *testing.T) {
	suite.Suite.TestMine(t, solutions.Base("ch10"), solutions.Mutants("ch10"), mine)
}
