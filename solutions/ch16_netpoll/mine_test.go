package ch16_test

import (
	"testing"

	suite "gosched/chapters/ch16_netpoll"
	"gosched/chapters/check"
	"gosched/chapters/gmp"
	"gosched/solutions"
)

// mine tests Netpollunblock of s. Report what is wrong with t.Errorf.
//
// s.Pollalloc(3) makes a PollDesc of which both halves are nil; pd.Rg.Store puts something there.
// Any &gmp.G{} will do for a G. check.Name says in words what is in a half.
//
//course:exercise
func mine(t check.TB, s *gmp.Sched) {
	//course:question What may be in a half, and what becomes of it, with ioready and without? In which cases is something returned?
	gp := &gmp.G{}
	//course:step A table: what is there, ioready, what is there afterwards, what is returned.
	for _, c := range []struct {
		was     *gmp.G
		ioready bool
		becomes *gmp.G
		returns *gmp.G
	}{
		{nil, false, nil, nil},
		{nil, true, gmp.PdReady, nil},
		{gmp.PdReady, false, gmp.PdReady, nil},
		{gmp.PdReady, true, gmp.PdReady, nil},
		{gmp.PdWait, false, nil, nil},
		{gmp.PdWait, true, gmp.PdReady, nil},
		{gp, false, nil, gp},
		{gp, true, gmp.PdReady, gp},
	} {
		//course:step Make it, call, and look.
		pd := s.Pollalloc(3)
		pd.Rg.Store(c.was)
		got := s.Netpollunblock(pd, 'r', c.ioready)
		if now := pd.Rg.Load(); got != c.returns || now != c.becomes {
			t.Errorf("Netpollunblock of %s, ioready %v, returns %s and leaves %s; want %s and %s", check.Name(c.was), c.ioready, check.Name(got), check.Name(now), check.Name(c.returns), check.Name(c.becomes))
		}
	}
}

// TestMine runs your test on a correct Netpollunblock, where it must pass, and on wrong ones,
// where it must fail.
func TestMine(t *testing.T) {
	suite.Suite.TestMine(t, solutions.Base("ch16"), solutions.Mutants("ch16"), mine)
}
