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
//course:exercise
func mine(m *explore.Model, s *gmp.Sched) {
	//course:step A P with a ring of two slots goes round soon: gmp.NewP(0, 2). A G is &gmp.G{Goid: machine.CellOf(int64(1))}; m.Show tells the report how to write it.
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
	//course:step m.Thread("owner", func() { … }): it puts some Gs, at the tail and next, and takes some. Call m.Put(gp) before a G is put and m.Take(gp) for each that comes out.
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
	//course:step m.Thread("thief", …): it takes with Runqgrab, into a batch of its own, make([]machine.Pointer[gmp.G], 2), and may take Runnext.
	m.Thread("thief", func() {
		batch := make([]machine.Pointer[gmp.G], 2)
		for i := range s.Runqgrab(pp, batch, 0, true) {
			take(batch[i].Load())
		}
	})
	//course:step m.Check(func() { … }) runs when all have ended: take what is left, from the P and from the global queue, s.Runq. What was put and not taken once, the model reports.
	m.Check(func() {
		for range goid {
			get()
		}
		for gp := s.Runq.Pop(); gp != nil; gp = s.Runq.Pop() {
			take(gp)
		}
	})
}

// TestMine runs your model on right queues, where it must pass, and on wrong ones,
// where it must fail.
func TestMine(t *testing.T) {
	suite.Suite.TestMineModel(t, solutions.Base("ch07"), solutions.Mutants("ch07"), mine)
}
