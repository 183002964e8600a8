package ch06

import (
	"gosched/chapters/check"
	"gosched/chapters/gmp"
)

// wirep checks the link between an M and a P.
func wirep(t *check.T) {
	w := newWorld(t)
	for _, mp := range []*gmp.M{w.m0, w.m1} {
		pp := newP(3 + int32(mp.ID))
		w.s.Wirep(mp, pp)
		w.wantHeld("after Wirep("+check.MName(mp)+", "+check.PName(pp)+")", mp, pp)
	}
}

// wirepThrows checks that an M has one P at most, and a P one M.
func wirepThrows(t *check.T) {
	w := holding(t)
	p0, p1 := w.s.Allp.Get()[0], w.s.Allp.Get()[1]
	msg := t.Throws(func() { w.s.Wirep(w.m0, newP(2)) })
	check.WantThrow(t, "M0 has P0; Wirep(M0, P2)", check.Thrown(msg), `"wirep: already in go"`)
	w.wantHeld("after that", w.m0, p0)

	let(w.m1)
	msg = t.Throws(func() { w.s.Wirep(w.m1, p0) })
	check.WantThrow(t, "M0 has P0, M1 has none; Wirep(M1, P0)", check.Thrown(msg), `"wirep: invalid p state"`)
	w.wantHeld("after that", w.m0, p0)

	p1.M.Set(w.m0)
	msg = t.Throws(func() { w.s.Wirep(w.m1, p1) })
	check.WantThrow(t, "the state of P1 is idle, but M0 has it; Wirep(M1, P1)", check.Thrown(msg), `"wirep: invalid p state"`)
	p1.M.Set(nil)

	// A P without M, in each of the states in which it may not be taken.
	for _, state := range []uint32{gmp.Prunning, gmp.Psyscall, gmp.Pgcstop, gmp.Pdead} {
		p1.Status.Store(state)
		name := check.PState(p1)
		msg := t.Throws(func() { w.s.Wirep(w.m1, p1) })
		check.WantThrow(t, "P1 has no M, and its state is "+name+"; Wirep(M1, P1)", check.Thrown(msg), `"wirep: invalid p state"`)
		if t.Failed() {
			return
		}
	}
}

// A tapedProcs notes who wires, and acquires.
type tapedProcs struct {
	gmp.Procs
	wired, acquired int
}

func (p *tapedProcs) Acquirep(mp *gmp.M, pp *gmp.P) {
	p.acquired++
	p.Procs.Acquirep(mp, pp)
}

func (p *tapedProcs) Wirep(mp *gmp.M, pp *gmp.P) {
	p.wired++
	p.Procs.Wirep(mp, pp)
}

// acquirep checks that Acquirep is Wirep, as the other parts see it.
func acquirep(t *check.T) {
	w := newWorld(t)
	tape := &tapedProcs{Procs: w.s.Procs}
	w.s.Procs = tape
	pp := newP(2)
	w.s.Acquirep(w.m1, pp)
	check.Want(t, "how often Acquirep calls s.Wirep", tape.wired, 1)
	w.wantHeld("after Acquirep(M1, P2)", w.m1, pp)
	msg := t.Throws(func() { w.s.Acquirep(w.m1, newP(3)) })
	check.WantThrow(t, "M1 has P2; Acquirep(M1, P3)", check.Thrown(msg), `"wirep: already in go"`)
}

// releasep checks that a P can be taken away, and that the M goes on.
func releasep(t *check.T) {
	w := holding(t)
	p0 := w.s.Allp.Get()[0]
	p0.GFree.Push(w.dead(0))
	w.put(p0, 1)
	got := w.s.Releasep(w.m0)
	check.Want(t, "M0 has P0; the result of Releasep(M0)", check.PName(got), "P0")
	check.Want(t, "after Releasep(M0) the P of M0, mp.P,", check.PName(w.m0.P.Get()), "nil")
	w.wantFree("after Releasep(M0)", p0, "idle")
	check.Want(t, "after Releasep(M0) the list of idle Ps", w.idle(), "nothing")
	check.Want(t, "after Releasep(M0) the number of idle Ps, s.Npidle,", w.s.Npidle.Load(), 0)
	if w.s.Runqempty(p0) || p0.GFree.Get().Size != 1 {
		t.Errorf("P0 had a runnable G and a dead one before Releasep(M0), and now has %d and %d; what is on a P goes with it", p0.Runqtail.Load()-p0.Runqhead.Load(), p0.GFree.Get().Size)
	}
	if w.s.Midle.Get() != nil {
		t.Errorf("Releasep put an M on the list of idle Ms; an M without a P may still have much to do")
	}
	w.wantHeld("after Releasep(M0)", w.m1, w.s.Allp.Get()[1])
}

// releasepThrows checks that only a P that is really held can be taken away.
func releasepThrows(t *check.T) {
	const invalid = `"releasep: invalid p state"`
	w := holding(t)
	p0 := w.s.Allp.Get()[0]
	none := &gmp.M{ID: 2}
	msg := t.Throws(func() { w.s.Releasep(none) })
	check.WantThrow(t, "M2 has no P; Releasep(M2)", check.Thrown(msg), `"releasep: invalid arg"`)
	for _, state := range []uint32{gmp.Pidle, gmp.Psyscall, gmp.Pgcstop, gmp.Pdead} {
		p0.Status.Store(state)
		msg := t.Throws(func() { w.s.Releasep(w.m0) })
		check.WantThrow(t, "M0 has P0, whose state is "+check.PState(p0)+"; Releasep(M0)", check.Thrown(msg), invalid)
		if t.Failed() {
			return
		}
	}
	p0.Status.Store(gmp.Prunning)
	p0.M.Set(w.m1)
	msg = t.Throws(func() { w.s.Releasep(w.m0) })
	check.WantThrow(t, "M0 points to P0, and P0 to M1; Releasep(M0)", check.Thrown(msg), invalid)
}
