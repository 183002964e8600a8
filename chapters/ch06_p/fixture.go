package ch06

import (
	"fmt"
	"strings"

	"gosched/chapters/check"
	"gosched/chapters/gmp"
)

// room is how many free sudogs a P of these checks keeps, if it is made by hand.
const room = 8

// A world is a scheduler on which nothing runs: a check calls the parts, in the name
// of M0 and M1.
type world struct {
	t      *check.T
	s      *gmp.Sched
	m0, m1 *gmp.M
	goid   int64
}

func newWorld(t *check.T) *world {
	w := &world{t: t}
	w.s, w.m0 = t.Sched()
	w.m1 = w.s.NewM(1)
	w.s.Mnext.Set(2)
	w.s.Maxmcount.Set(10_000)
	return w
}

// newP makes an idle P, which is in the hands of the check. Procresize, which is under
// test, makes others.
func newP(id int32) *gmp.P {
	pp := gmp.NewP(id, 4)
	pp.Sudogcache.Set(make([]*gmp.Sudog, 0, room))
	return pp
}

// let unlinks mp and its P by hand.
func let(mp *gmp.M) *gmp.P {
	pp := mp.P.Get()
	mp.P.Set(nil)
	pp.M.Set(nil)
	pp.Status.Store(gmp.Pidle)
	return pp
}

// holding makes a world in which M0 has P0, and M1 has P1.
func holding(t *check.T) *world {
	w := newWorld(t)
	w.s.Allp.Set([]*gmp.P{newP(0), newP(1)})
	w.s.Gomaxprocs.Set(2)
	check.Holding(w.m0, w.s.Allp.Get()[0])
	check.Holding(w.m1, w.s.Allp.Get()[1])
	return w
}

// wantHeld checks that mp and pp are linked.
func (w *world) wantHeld(after string, mp *gmp.M, pp *gmp.P) {
	w.t.Helper()
	check.Want(w.t, after+" the P of "+check.MName(mp)+", mp.P,", check.PName(mp.P.Get()), check.PName(pp))
	check.Want(w.t, after+" the M of "+check.PName(pp)+", pp.M,", check.MName(pp.M.Get()), check.MName(mp))
	check.Want(w.t, after+" the state of "+check.PName(pp), check.PState(pp), "running")
}

// wantFree checks that pp belongs to no M, and that its state is what it should be.
func (w *world) wantFree(after string, pp *gmp.P, state string) {
	w.t.Helper()
	check.Want(w.t, after+" the M of "+check.PName(pp)+", pp.M,", check.MName(pp.M.Get()), "nil")
	check.Want(w.t, after+" the state of "+check.PName(pp), check.PState(pp), state)
}

// idle lists the idle Ps, the first one first.
func (w *world) idle() string { return linked(w.s.Pidle.Get()) }

// linked lists Ps that are linked by Link: "P1, P2", or "nothing".
func linked(first *gmp.P) string {
	var names []string
	for pp := first; pp != nil; pp = pp.Link.Get() {
		if names = append(names, check.PName(pp)); len(names) == 10 {
			names = append(names, "and so on, round and round or without end")
			break
		}
	}
	if names == nil {
		return "nothing"
	}
	return strings.Join(names, ", ")
}

// resize is a call of Procresize by M0. Before it, the world is stopped as
// StopTheWorldWithSema does it.
func (w *world) resize(n int32) *gmp.P {
	w.t.Helper()
	for pp := w.s.Pidle.Get(); pp != nil; pp = w.s.Pidle.Get() {
		w.s.Pidle.Set(pp.Link.Get())
		pp.Link.Set(nil)
	}
	w.s.Npidle.Store(0)
	for _, pp := range w.s.Allp.Get() {
		pp.Status.Store(gmp.Pgcstop)
	}
	var list *gmp.P
	check.Locked(w.t, w.s, fmt.Sprintf("Procresize(M0, %d)", n), func() { list = w.s.Procresize(w.m0, n) })
	if got := len(w.s.Allp.Get()); got != int(n) {
		w.t.Fatalf("after Procresize(M0, %d) s.Allp has %d Ps", n, got)
	}
	for id, pp := range w.s.Allp.Get() {
		if pp == nil || pp.ID != int32(id) {
			w.t.Fatalf("after Procresize(M0, %d) s.Allp[%d] is %s", n, id, check.PName(pp))
		}
	}
	return list
}

// newG makes a runnable G, on no queue.
func (w *world) newG() *gmp.G {
	w.goid++
	gp := gmp.NewG(w.goid)
	gp.Atomicstatus.Store(gmp.Grunnable)
	return gp
}

// put puts n new Gs on the queue of pp.
func (w *world) put(pp *gmp.P, n int) []*gmp.G {
	gs := make([]*gmp.G, n)
	for i := range gs {
		gs[i] = w.newG()
		w.s.Runqput(pp, gs[i], false)
	}
	return gs
}

// global takes all Gs off the global queue.
func (w *world) global() []*gmp.G {
	var gs []*gmp.G
	for gp := w.s.Runq.Pop(); gp != nil; gp = w.s.Runq.Pop() {
		gs = append(gs, gp)
	}
	return gs
}

// dead makes a G that has ended, with a stack of size bytes; 0 for none.
func (w *world) dead(size uint64) *gmp.G {
	gp := w.s.Malg(size)
	w.goid++
	gp.Goid.Set(w.goid)
	gp.Atomicstatus.Store(gmp.Gdead)
	return gp
}
