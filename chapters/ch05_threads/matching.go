package ch05

import (
	"fmt"

	"gosched/chapters/check"
	"gosched/chapters/gmp"
)

// next is a call of NextGAndUnlock for M0.
func (w *world) next() *gmp.G {
	w.t.Helper()
	w.s.Lock.Lock()
	gp := w.s.NextGAndUnlock(w.m0)
	check.WantUnlocked(w.t, w.s, "NextGAndUnlock")
	return gp
}

// nextHead checks the M that finds a G.
func nextHead(t *check.T) {
	w := newWorld(t, 1)
	g := w.queued(2)
	check.Want(t, "with G1, G2 queued the result of NextGAndUnlock", check.Name(w.next()), "G1")
	check.Want(t, "with one M that runs, and that now runs another G, s.Mcpu", w.s.Mcpu.Get(), 1)
	check.Want(t, "what NextGAndUnlock leaves on the queue", check.Names(check.Drain(w.s)), check.Names(g[1:]))
	w.WantLocked(w.t, "NextGAndUnlock", "Globrunqget")
}

// nextGiven checks the M that was given a G.
func nextGiven(t *check.T) {
	w := newWorld(t, 2)
	g := w.queued(2)
	w.s.Mcpu.Set(2) // whoever gave M0 a G has counted it
	w.m0.Nextg.Set(check.NewG(w.s, gmp.Grunnable))
	check.Want(t, "with G3 in M0.Nextg and G1, G2 queued, the result of NextGAndUnlock", check.Name(w.next()), "G3")
	check.Want(t, "after it M0.Nextg", check.Name(w.m0.Nextg.Get()), "nil")
	check.Want(t, "M0 was already counted when it was given G3; after NextGAndUnlock s.Mcpu", w.s.Mcpu.Get(), 2)
	check.Want(t, "the queue, which M0 had no need of,", check.Names(check.Drain(w.s)), check.Names(g))
}

// nextSleeps checks the M that finds nothing. That to look and to lie down are one step is
// for the model.
func nextSleeps(t *check.T) {
	w := newWorld(t, 2)
	gp := check.NewG(w.s, gmp.Grunnable)
	w.parked = func(mp *gmp.M) {
		if check.Held(&w.s.Lock) {
			t.Fatalf("M0 goes to sleep with s.Lock held; no other M will ever get it")
		}
		if w.s.Midle.Get() != mp {
			t.Fatalf("M0 goes to sleep, but is not on the list of idle Ms; it will not be found there")
		}
		check.Want(t, "while the only M that ran sleeps s.Mcpu", w.s.Mcpu.Get(), 0)
		check.Want(t, "while M0 sleeps the number of idle Ms, s.Nmidle,", w.s.Nmidle.Get(), 1)
		// Somebody queues a G, and does Matchmg's work.
		check.Locked(w.t, w.s, "Mget", func() { w.s.Mget() })
		w.s.Mcpu.Set(w.s.Mcpu.Get() + 1)
		mp.Nextg.Set(gp)
	}
	check.Want(t, "M0 slept and was given G1; the result of NextGAndUnlock", check.Name(w.next()), "G1")
	check.Want(t, "after it M0.Nextg", check.Name(w.m0.Nextg.Get()), "nil")
	check.Want(t, "M0 was already counted when it was given G1; after NextGAndUnlock s.Mcpu", w.s.Mcpu.Get(), 1)

	w.WantLocked(w.t, "NextGAndUnlock", "Mput")

	w = newWorld(t, 2)
	w.parked = func(*gmp.M) {}
	msg := t.Throws(func() { w.next() })
	check.WantThrow(t, "when M0 wakes up and was given no G, NextGAndUnlock", msg, "bad m->nextg in nextgoroutine")
}

// nextLimit checks the M that may not run, although there is a G.
func nextLimit(t *check.T) {
	w := newWorld(t, 2)
	g := w.queued(2)
	w.s.Mcpu.Set(3) // GOMAXPROCS was 3 until a moment ago
	other := check.NewG(w.s, gmp.Grunnable)
	slept := false
	w.parked = func(mp *gmp.M) {
		slept = true
		check.Want(t, "while M0 sleeps s.Mcpu", w.s.Mcpu.Get(), 2)
		mp.Nextg.Set(other)
	}
	check.Want(t, "the result of NextGAndUnlock", check.Name(w.next()), check.Name(other))
	if !slept {
		t.Errorf("three Ms run where GOMAXPROCS was changed to 2, and the first that lets go of its G takes another; it must sleep")
	}
	check.Want(t, "the queue", check.Names(check.Drain(w.s)), check.Names(g))
}

// match is a call of Matchmg by M0.
func (w *world) match() {
	w.t.Helper()
	check.Locked(w.t, w.s, "Matchmg", func() { w.s.Matchmg(w.m0) })
}

// matchIdle checks that idle Ms are given Gs, and woken.
func matchIdle(t *check.T) {
	w := newWorld(t, 3)
	ms := w.idle(3)
	w.queued(3)
	w.match()
	for i, c := range []struct {
		mp   *gmp.M
		next string
	}{{ms[2], "G1"}, {ms[1], "G2"}, {ms[0], "nil"}} {
		what := fmt.Sprintf("M0 runs, three may, M1 to M3 are idle (M3 first), G1 to G3 are queued; after Matchmg %s.Nextg", check.MName(c.mp))
		check.Want(t, what, check.Name(c.mp.Nextg.Get()), c.next)
		if got := check.Woken(c.mp); got != (i < 2) {
			t.Errorf("after Matchmg, whether %s, whose Nextg is %s, was woken through its note Park is %v; want %v", check.MName(c.mp), c.next, got, i < 2)
		}
	}
	check.Want(t, "after Matchmg s.Mcpu", w.s.Mcpu.Get(), 3)
	check.Want(t, "after Matchmg the number of idle Ms", w.s.Nmidle.Get(), 1)
	check.Want(t, "after Matchmg the queue", check.Names(check.Drain(w.s)), "G3")
	if len(w.Started()) > 0 {
		t.Errorf("Matchmg started a new M, although there was an idle one")
	}
}

// matchNew checks that Ms are started where none is idle.
func matchNew(t *check.T) {
	w := newWorld(t, 3)
	ms := w.idle(1)
	w.queued(4)
	w.match()
	check.Want(t, "M0 runs, three may, M1 is idle, G1 to G4 are queued; after Matchmg M1.Nextg", check.Name(ms[0].Nextg.Get()), "G1")
	if len(w.Started()) != 1 {
		t.Fatalf("M0 runs, three may, M1 is idle, G1 to G4 are queued: Matchmg called Newm %d times; want once, for G2", len(w.Started()))
	}
	st := w.Started()[0]
	check.Want(t, "the ID that Newm was given, which MReserveID gave out,", st.ID, 2)
	if st.P != nil {
		t.Errorf("Newm was given a P; Go 1.0 has none")
	}
	if st.Fn == nil {
		t.Fatalf("Newm was given no fn: the new M will not know its G")
	}
	mp := w.s.NewM(st.ID)
	st.Fn(mp)
	check.Want(t, "after fn, given to Newm, has run on M2, M2.Nextg", check.Name(mp.Nextg.Get()), "G2")
	check.Want(t, "after Matchmg s.Mcpu (a new M counts from when it is given its G)", w.s.Mcpu.Get(), 3)
	check.Want(t, "after Matchmg the queue", check.Names(check.Drain(w.s)), "G3, G4")
	w.WantLocked(w.t, "Matchmg", "MReserveID")
}

// matchFull checks that no more Ms run than may, and none is woken for nothing.
func matchFull(t *check.T) {
	w := newWorld(t, 2)
	ms := w.idle(1)
	w.s.Mcpu.Set(2)
	g := w.queued(2)
	w.match()
	check.Want(t, "two Ms run, and two may; after Matchmg M1.Nextg", check.Name(ms[0].Nextg.Get()), "nil")
	check.Want(t, "after Matchmg the queue", check.Names(check.Drain(w.s)), check.Names(g))
	check.Want(t, "after Matchmg s.Mcpu", w.s.Mcpu.Get(), 2)

	w = newWorld(t, 2)
	ms = w.idle(1)
	w.match()
	if check.Woken(ms[0]) || len(w.Started()) > 0 {
		t.Errorf("Matchmg woke or started an M, although no G is queued")
	}
	check.Want(t, "one M runs, two may, and no G is queued; after Matchmg s.Mcpu", w.s.Mcpu.Get(), 1)
	check.Want(t, "and the number of idle Ms", w.s.Nmidle.Get(), 1)
}
