package ch06_test

import (
	"testing"

	suite "gosched/chapters/ch06_p"
	"gosched/chapters/check"
	"gosched/chapters/gmp"
	"gosched/chapters/machine"
	"gosched/solutions"
)

// mine tests what becomes of a P that dies: Procresize of s to fewer Ps. Report what is
// wrong with t.Errorf.
//
// new(gmp.M) is an M without a P, and s has none yet. Procresize and Pidleget are called
// with s.Lock held. Nothing runs, so the world is stopped; but then no P is on the list of
// idle ones: take those off by Pidleget(1). A G is &gmp.G{Goid: machine.CellOf(int64(1))},
// which is Grunnable if its Atomicstatus says so. What a P has: Runqput queues a G,
// pp.GFree.Push adds a dead one, and pp.Sudogcache is a Cell with a slice of sudogs, which
// may have as many as there is room for.
//
//course:exercise
func mine(t check.TB, s *gmp.Sched) {
	//course:question What does a P have, and on which shared list would you look for each item?
	//course:step Make two Ps, for an M made by hand.
	mp := new(gmp.M)
	s.Lock.Lock()
	defer s.Lock.Unlock()
	s.Procresize(mp, 2)
	dying := s.Allp.Get()[1]
	s.Pidleget(1) // no P is on the list while the world is stopped
	//course:step Give the second one something of each kind: runnable Gs in its queue, a dead G, a sudog.
	var gs [3]*gmp.G
	for i := range gs {
		gs[i] = &gmp.G{Goid: machine.CellOf(int64(i + 1))}
		gs[i].Atomicstatus.Store(gmp.Grunnable)
		s.Runqput(dying, gs[i], false)
	}
	dying.GFree.Push(&gmp.G{Goid: machine.CellOf[int64](9)})
	dying.Sudogcache.Set(append(dying.Sudogcache.Get(), new(gmp.Sudog)))
	//course:step Let it die.
	s.Procresize(mp, 1)
	if dying.Status.Load() != gmp.Pdead {
		t.Errorf("P1 is not dead")
	}
	//course:step Each of these must now be on the shared list, and the Gs in their order.
	for _, want := range gs {
		if got := s.Globrunqget(); got != want {
			t.Errorf("the next G of the global queue is not the one that P1 would have run next")
			return
		}
	}
	if s.GFree.N.Get() != 1 {
		t.Errorf("P1 had a dead G, and %d are on the shared list", s.GFree.N.Get())
	}
	if s.Sudogcache.Get() == nil {
		t.Errorf("P1 had a sudog, and none is on the shared list")
	}
}

// TestMine runs your test on a correct Procresize, where it must pass, and on wrong
// ones, where it must fail.
func TestMine(t *testing.T) {
	suite.Suite.TestMine(t, solutions.Base("ch06"), solutions.Mutants("ch06"), mine)
}
