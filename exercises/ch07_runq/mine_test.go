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
//
// m.Thread(name, f) adds a thread, which runs f; m.Check(f) runs f when all threads have
// ended. m.Put(gp) says that gp is put, right before or after it is; m.Take(gp) says that it
// has come out, in a thread or in m.Check: the model reports a G that was put and not taken,
// or taken twice. m.Choose(n) is a number from 0 to n-1, each of which is explored. m.Show(f)
// says how a report writes a value, "" if f does not know it.
//
// Gs that find the ring full go to the global queue, s.Runq; s.Runq.Pop takes one off it.
//
// gmp.NewP(0, 2) is a P with a ring of two slots, &gmp.G{Goid: machine.CellOf(int64(1))} a G,
// and make([]machine.Pointer[gmp.G], 2) room for what Runqgrab takes.
func mine(m *explore.Model, s *gmp.Sched) {
	// Question: What has to happen in your model so that a G can be lost, or
	//           come out twice: in the ring when it goes round, and in
	//           Runnext?
	panic(gmp.TODO("mine"))
}

// TestMine runs your model on correct queues, where it must pass, and on wrong
// ones, where it must fail.
func TestMine(t *testing.T) {
	suite.Suite.TestMineModel(t, solutions.Base("ch07"), solutions.Mutants("ch07"), mine)
}
