// This file is yours: what you write in it is kept. The task is in README.md
// beside it, and this command checks your code:
//
//	go run ./autograder test ch07

package ch07_test

import (
	"testing"

	suite "gosched/chapters/ch07_runq"
	"gosched/chapters/gmp"
	"gosched/chapters/machine/explore"
	"gosched/solutions"
)

// mine is a model of the run queue of s: Runqput, Runqget and Runqgrab. It is called
// anew for each interleaving, with a new s.
func mine(m *explore.Model, s *gmp.Sched) {
	// 1. A P with a ring of two slots goes round soon: gmp.NewP(0, 2). A G is
	//    &gmp.G{Goid: machine.CellOf(int64(1))}; m.Show tells the report how
	//    to write it.
	// 2. m.Thread("owner", func() { … }): it puts some Gs, at the tail and
	//    next, and takes some. Call m.Put(gp) before a G is put and m.Take(gp)
	//    for each that comes out.
	// 3. m.Thread("thief", …): it takes with Runqgrab, into a batch of its
	//    own, make([]machine.Pointer[gmp.G], 2), and may take Runnext.
	// 4. m.Check(func() { … }) runs when all have ended: take what is left,
	//    from the P and from the global queue, s.Runq. What was put and not
	//    taken once, the model reports.
	panic(gmp.TODO("mine"))
}

// TestMine runs your model on right queues, where it must pass, and on wrong ones,
// where it must fail.
func TestMine(t *testing.T) {
	suite.Suite.TestMineModel(t, solutions.Base("ch07"), solutions.Mutants("ch07"), mine)
}
