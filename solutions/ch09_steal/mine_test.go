package ch09_test

import (
	"testing"

	suite "gosched/chapters/ch09_steal"
	"gosched/chapters/check"
	"gosched/chapters/gmp"
	"gosched/chapters/machine"
	"gosched/solutions"
)

// mine tests StealWork of s. Report what is wrong with t.Errorf.
//
// Ps are made by gmp.NewP(0, 4), and go into s.Allp, which has Set; s.Gomaxprocs is their
// number. An M made by hand will do as the thief: &gmp.M{P: machine.CellOf(pp)}. Its Fastrand
// is where its random numbers start. s.Gcwaiting says that the world is to stop.
//
//course:exercise
func mine(t check.TB, s *gmp.Sched) {
	//course:question With how many Ps, and how often, must you ask to catch a thief that overlooks one of them only sometimes?
	//course:step Make some Ps, 6 say, and a thief that has one of them.
	const n = 6
	for i := range int32(n) {
		s.Allp.Set(append(s.Allp.Get(), gmp.NewP(i, 4)))
	}
	s.Gomaxprocs.Set(n)
	mp := &gmp.M{P: machine.CellOf(s.Allp.Get()[0])}
	//course:step Put one G on one of the others, by Runqput, and steal: that G must come. For each P in turn, and many times, since the order is random.
	for i := range 200 {
		gp := &gmp.G{Goid: machine.CellOf(int64(i) + 1)}
		//course:step Sometimes let it be in Runnext.
		s.Runqput(s.Allp.Get()[1+i%(n-1)], gp, i%3 == 0)
		if got, _, _, _, _ := s.StealWork(mp, 1); got != gp {
			t.Errorf("P%d has a G, and StealWork does not find it", 1+i%(n-1))
			return
		}
	}
	//course:step Of four Gs two are stolen: one is returned, and the other is on the thief's own queue.
	for i := range int64(4) {
		s.Runqput(s.Allp.Get()[1], &gmp.G{Goid: machine.CellOf(i + 1)}, false)
	}
	s.StealWork(mp, 1)
	if gp, _ := s.Runqget(mp.P.Get()); gp == nil {
		t.Errorf("of two Gs that were stolen one is returned, and the other is not on the thief's queue")
	}
	//course:step When the world is to stop nothing is stolen, and there is new work.
	s.Gcwaiting.Store(true)
	if gp, _, _, _, newWork := s.StealWork(mp, 1); gp != nil || !newWork {
		t.Errorf("the world is to stop, and StealWork goes on")
	}
}

// TestMine runs your test on a correct StealWork, where it must pass, and on wrong
// ones, where it must fail.
func TestMine(t *testing.T) {
	suite.Suite.TestMine(t, solutions.Base("ch09"), solutions.Mutants("ch09"), mine)
}
