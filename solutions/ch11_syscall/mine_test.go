package ch11_test

import (
	"testing"

	suite "gosched/chapters/ch11_syscall"
	"gosched/chapters/check"
	"gosched/chapters/gmp"
	"gosched/solutions"
)

// mine tests ExitsyscallFast of s. Report what is wrong with t.Errorf.
//
// Ps can be made by hand: gmp.NewP(0, 2) is Pidle and belongs to no M, and with s.Lock held
// s.Pidleput(pp, 1) makes it idle. An M is &gmp.M{}; without a P it has entered a call.
//
//course:exercise
func mine(t check.TB, s *gmp.Sched) {
	//course:question There are three situations in which ExitsyscallFast may be called. Which P does the M have afterwards in each, and what says so?
	s.Gomaxprocs.Set(2)
	has := func(what string, mp *gmp.M, pp *gmp.P) {
		if mp.P.Get() != pp || pp.M.Get() != mp || pp.Status.Load() != gmp.Prunning {
			t.Errorf("%s, and after ExitsyscallFast it is not linked to the M, or not running", what)
		}
	}
	idle := func() *gmp.P {
		pp := gmp.NewP(1, 2)
		s.Lock.Lock()
		s.Pidleput(pp, 1)
		s.Lock.Unlock()
		return pp
	}
	//course:step No M has taken the old P, which is Psyscall, and another one is idle: the M has the old one, linked both ways and running, and the idle one stays idle.
	own, mp, spare := gmp.NewP(0, 2), &gmp.M{}, idle()
	own.Status.Store(gmp.Psyscall)
	if !s.ExitsyscallFast(mp, own) {
		t.Errorf("no M has taken the old P, and ExitsyscallFast returns false")
	}
	has("the M could have its old P", mp, own)
	//course:step Another M runs with the old P: that M keeps it, and the M has the idle one.
	back := &gmp.M{ID: 1}
	if !s.ExitsyscallFast(back, own) {
		t.Errorf("a P is idle, and ExitsyscallFast returns false")
	}
	has("another M has the old P", mp, own)
	has("a P is idle", back, spare)
	//course:step There is no P at all: it returns false, and nothing has changed.
	if none := (&gmp.M{ID: 2}); s.ExitsyscallFast(none, own) || none.P.Get() != nil {
		t.Errorf("there is no P, and ExitsyscallFast returns true, or gives one")
	}
	has("another M has the old P", mp, own)
}

// TestMine runs your test on a correct ExitsyscallFast, where it must pass, and on wrong
// ones, where it must fail.
func TestMine(t *testing.T) {
	suite.Suite.TestMine(t, solutions.Base("ch11"), solutions.Mutants("ch11"), mine)
}
