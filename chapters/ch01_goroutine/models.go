package ch01

import (
	"fmt"

	"gosched/chapters/check"
	"gosched/chapters/gmp"
	"gosched/chapters/machine"
	"gosched/chapters/machine/explore"
)

// The models: two Ms make Gs, end them and change their states at the same time. There is
// one M until chapter 5, but these parts serve all later versions, too.

// A town is where Gs are born and die in a model.
type town struct {
	*check.Crew
	t *check.T
}

// model explores what play does.
func model(play func(w town)) func(t *check.T) {
	return func(t *check.T) {
		t.Crew(explore.Options{}, func(c *check.Crew) {
			c.Free("GFree.Lock", &c.S.GFree.Lock)
			c.Free("Allglock", &c.S.Allglock)
			play(town{c, t})
		})
	}
}

// dead returns a G that has ended, with a stack of size bytes. It is on the list of all.
func (w town) dead(size uint64) *gmp.G {
	gp := w.S.Malg(size)
	gp.Goid.Set(w.S.Goidgen.Add(1))
	gp.Atomicstatus.Store(gmp.Gdead)
	w.S.Allgadd(gp)
	return gp
}

// run lets mp run gp, which is runnable.
func (w town) run(mp *gmp.M, gp *gmp.G) {
	mp.Curg.Set(gp)
	gp.M.Set(mp)
	w.S.Casgstatus(gp, gmp.Grunnable, gmp.Grunning)
}

// live lets mp run gp, which is runnable, and use all that a life uses. Whoever has made gp,
// or ended its former life, and still touches it, is in a race.
func (w town) live(mp *gmp.M, gp *gmp.G) {
	w.run(mp, gp)
	st := gp.Stack.Get()
	for a := st.Lo; a < st.Hi; a += gmp.StartingStack / 16 {
		w.S.Machine.SetWord(a, 1)
	}
	check.BeginAnew(gp)
}

// casgstatus is Casgstatus, and returns what it throws.
func (w town) casgstatus(gp *gmp.G, oldval, newval uint32) (thrown string) {
	return w.t.Throws(func() { w.S.Casgstatus(gp, oldval, newval) })
}

// statusRace: two Ms make the same G runnable. It waits once, so one of them is wrong.
func statusRace(w town) {
	gp := w.dead(0)
	gp.Atomicstatus.Store(gmp.Gwaiting)
	won := 0
	for range 2 {
		mp := w.NewM()
		w.Thread(check.MName(mp), func() {
			if w.casgstatus(gp, gmp.Gwaiting, gmp.Grunnable) == "" {
				won++
			}
		})
	}
	w.Check(func() {
		if won != 1 {
			w.Errorf("two Ms have changed the state of %s from waiting to runnable at the same time, and Casgstatus has let %d of them believe that they did it; want 1: the G would be queued that many times", check.Name(gp), won)
		}
	})
}

// statusScan: an M holds the scan bit for a moment, while another M wants to change the
// state.
func statusScan(w town) {
	gp := w.dead(0)
	gp.Atomicstatus.Store(gmp.Gwaiting)
	w.Thread(check.MName(w.NewM()), func() { w.Look(gp, gmp.Gwaiting) })
	w.Thread(check.MName(w.NewM()), func() {
		if thrown := w.casgstatus(gp, gmp.Gwaiting, gmp.Grunnable); thrown != "" {
			w.Errorf("%s waits, and another M holds its scan bit for a moment: Casgstatus from waiting to runnable must wait; it threw %q", check.Name(gp), thrown)
		}
	})
	w.Check(func() {
		if check.State(gp) != "runnable" {
			w.Errorf("Casgstatus has returned, and the scan bit is clear; %s must be runnable, but is %s", check.Name(gp), check.State(gp))
		}
	})
}

// freeRace: one M puts a dead G on the free list and takes one, another takes one and puts
// it back, and a third looks on.
func freeRace(w town) {
	w.S.Gfput(w.NewM(), w.dead(gmp.StartingStack))
	own := w.onList() == 0 // the part keeps the dead elsewhere
	grown := w.dead(2 * gmp.StartingStack)
	var first, second *gmp.G
	m0, m1 := w.NewM(), w.NewM()
	w.Thread(check.MName(m0), func() {
		w.S.Gfput(m0, grown)
		first = w.get(m0)
	})
	w.Thread(check.MName(m1), func() {
		if second = w.get(m1); second != nil {
			w.S.Gfput(m1, second)
		}
	})
	w.Thread(check.MName(w.NewM()), func() {
		w.S.GFree.Lock.Lock()
		n, count := w.S.GFree.N.Get(), w.onList()
		w.S.GFree.Lock.Unlock()
		if n != count && !own {
			w.Errorf("whoever holds GFree.Lock finds %d Gs on the free list, but GFree.N is %d", count, n)
		}
	})
	w.Check(func() {
		if first == nil || second == nil {
			w.Errorf("there was always a G on the free list, but Gfget returned nil")
			return
		}
		left := w.S.Gfget(m0)
		switch {
		case left == nil:
			w.Errorf("of two dead Gs one is in use, and the other is not on the free list: it is lost")
		case left == first:
			w.Errorf("%s is in use and still on the free list: two goroutines would share it", check.Name(left))
		case w.S.Gfget(m0) != nil:
			w.Errorf("of two dead Gs one is in use, and the free list holds more than the other")
		}
	})
}

// get takes a G from the free list and uses it.
func (w town) get(mp *gmp.M) *gmp.G {
	gp := w.S.Gfget(mp)
	if gp != nil {
		gp.Schedlink.Set(nil)
		st := gp.Stack.Get()
		w.S.Machine.SetWord(st.Hi-8, 1)
		gp.Stack.Set(st)
	}
	return gp
}

// onList counts the Gs on the free list.
func (w town) onList() int32 {
	n := int32(0)
	for _, list := range []*gmp.SharedGList{&w.S.GFree.Stack, &w.S.GFree.NoStack} {
		for gp := list.Get().Head; gp != nil; gp = gp.Schedlink.Get() {
			n++
		}
	}
	return n
}

// newRace: two Ms make a G each, for one of which there is a dead one, and a third M looks
// at each G as soon as it is runnable.
func newRace(w town) {
	old := w.dead(gmp.StartingStack)
	w.S.Gfput(w.NewM(), old)
	const callerpc = 41
	caller := w.dead(0)
	ms := []*gmp.M{w.NewM(), w.NewM()}
	made := make([]*gmp.G, len(ms))
	for i, mp := range ms {
		w.Thread(check.MName(mp), func() {
			made[i] = w.S.Newproc1(mp, check.CrewFn, caller, callerpc)
		})
	}
	w.Thread(check.MName(w.NewM()), func() {
		w.S.ForEachG(func(gp *gmp.G) {
			if gp.Atomicstatus.Load() == gmp.Grunnable {
				w.complete(gp, caller, callerpc)
			}
		})
	})
	w.Check(func() {
		if made[0] == made[1] {
			w.Errorf("two Ms made a G at the same time, and Newproc1 gave both the same one")
			return
		}
		if a, b := made[0].Goid.Get(), made[1].Goid.Get(); a == b {
			w.Errorf("two Ms made a G at the same time, and both have the Goid %d", a)
		}
		listed := map[*gmp.G]int{}
		w.S.ForEachG(func(gp *gmp.G) { listed[gp]++ })
		for _, gp := range append(made, caller) {
			if listed[gp] != 1 {
				w.Errorf("%s is on the list of all Gs %d times; want once", check.Name(gp), listed[gp])
			}
		}
		if len(listed) != 3 {
			w.Errorf("there was one dead G and two Gs are made: want 3 Gs on the list of all, including their caller; there are %d", len(listed))
		}
	})
}

// complete checks that a G that is runnable has all that it needs to run.
func (w town) complete(gp, caller *gmp.G, callerpc machine.PC) {
	describe := func(goid bool, fn machine.Addr, pc machine.PC, parent int64, entry machine.PC, ret uint64) string {
		return fmt.Sprintf("a Goid %v, Startfn %#x, Gopc %d, Parentgoid %d, pc %d, and pc %d to return to", goid, fn, pc, parent, entry, ret)
	}
	want := describe(true, check.CrewFn, callerpc, caller.Goid.Get(), check.CrewEntry, uint64(w.S.Program().Goexit))
	got := describe(gp.Goid.Get() > caller.Goid.Get(), gp.Startfn.Get(), gp.Gopc.Get(), gp.Parentgoid.Get(), gp.Sched.PC, w.S.Machine.Word(gp.Sched.SP))
	if got != want {
		w.Errorf("another M finds a new G runnable, and it has\n  %s\nwant\n  %s", got, want)
	}
}

// exitRace: two Gs end at the same time on two Ms. One of the Ms makes a new G then, and
// runs it at once. A third M has seen the first G run, and looks at it.
func exitRace(w town) {
	gs := []*gmp.G{w.dead(gmp.StartingStack), w.dead(2 * gmp.StartingStack)}
	ms := []*gmp.M{w.NewM(), w.NewM()}
	for i, gp := range gs {
		gp.Atomicstatus.Store(gmp.Grunnable)
		w.run(ms[i], gp)
		ms[i].Lockedg.Set(gp)
		gp.Lockedm.Set(ms[i])
	}
	w.Thread(check.MName(ms[0]), func() { w.S.Goexit0(ms[0], gs[0]) })
	w.Thread(check.MName(w.NewM()), func() { w.Look(gs[0], gmp.Grunning) })
	w.Thread(check.MName(ms[1]), func() {
		w.S.Goexit0(ms[1], gs[1])
		w.live(ms[1], w.S.Newproc1(ms[1], check.CrewFn, nil, 0))
	})
	w.Check(func() {
		next := ms[1].Curg.Get()
		left := w.S.Gfget(ms[0])
		if left == nil || left == next || w.S.Gfget(ms[0]) != nil {
			w.Errorf("two Gs have ended, and one of them lives again: want the other one on the free list, and no more")
		}
	})
}

// visible checks that the models see what the parts share.
func visible(t *check.T) {
	s, mp := t.Sched()
	s.Gfget(mp)
	t.Visible()
}
