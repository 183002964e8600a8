package ch07_test

import (
	"testing"

	suite "gosched/chapters/ch07_runq"
	"gosched/chapters/gmp"
	"gosched/chapters/machine"
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
//
//course:exercise
func mine(m *explore.Model, s *gmp.Sched) {
	//course:question What has to happen in your model so that a G can be lost, or come out twice: in the ring when it goes round, and in Runnext?
	//course:lead Which moves of the owner can a thief interrupt? Does each of them happen, with something there to take?
	//course:step A P with a ring of two slots: it goes round soon. Show Gs by their number.
	pp := gmp.NewP(0, 2)
	m.Show(func(v any) string {
		if gp, ok := v.(*gmp.G); ok {
			return "G" + string(rune('0'+gp.Goid.Get()))
		}
		return ""
	})
	goid := int64(0)
	put := func(next bool) {
		goid++
		gp := &gmp.G{Goid: machine.CellOf(goid)}
		m.Put(gp)
		s.Runqput(pp, gp, next)
	}
	take := func(gp *gmp.G) {
		if gp != nil {
			m.Take(gp)
		}
	}
	get := func() {
		gp, _ := s.Runqget(pp)
		take(gp)
	}
	//course:step An owner that puts some Gs, at the tail and next, and takes some, so that the ring goes round and a Runnext is kicked out. Put and Take of the model keep the books.
	m.Thread("owner", func() {
		put(false)
		get()
		put(true)
		put(true)
		get()
		get()
		put(false)
		put(false)
	})
	//course:step A thief that takes with Runqgrab, into a batch of its own, and may take Runnext.
	m.Thread("thief", func() {
		batch := make([]machine.Pointer[gmp.G], 2)
		for i := range s.Runqgrab(pp, batch, 0, true) {
			take(batch[i].Load())
		}
	})
	//course:step At the end take what is left, from the P and from the global queue, s.Runq: it is not lost.
	m.Check(func() {
		for range goid {
			get()
		}
		for gp := s.Runq.Pop(); gp != nil; gp = s.Runq.Pop() {
			take(gp)
		}
	})
}

// TestMine runs your model on correct queues, where it must pass, and on wrong
// ones, where it must fail.
func TestMine(t *testing.T) {
	suite.Suite.TestMineModel(t, solutions.Base("ch07"), solutions.Mutants("ch07"), mine)
}
