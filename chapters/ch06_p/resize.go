package ch06

import (
	"fmt"
	"slices"

	"gosched/chapters/check"
	"gosched/chapters/gmp"
)

// resizeFirst checks the Ps that are made when there are none.
func resizeFirst(t *check.T) {
	for _, n := range []int32{1, 4} {
		w := newWorld(t)
		what := fmt.Sprintf("there is no P yet; after Procresize(M0, %d)", n)
		list := w.resize(n)
		check.Want(t, what+" what it returns", linked(list), "nothing")
		check.Want(t, what+" the number of Ps, s.Gomaxprocs,", w.s.Gomaxprocs.Get(), n)
		w.wantHeld(what, w.m0, w.s.Allp.Get()[0])
		check.Want(t, what+" the list of idle Ps", w.idle(), map[int32]string{1: "nothing", 4: "P1, P2, P3"}[n])
		check.Want(t, what+" the number of idle Ps, s.Npidle,", w.s.Npidle.Load(), n-1)
		for _, pp := range w.s.Allp.Get() {
			if pp != w.m0.P.Get() {
				w.wantFree(what, pp, "idle")
			}
			if len(pp.Runq) != gmp.RunqLen {
				t.Errorf("%s the ring of %s has %d slots; want gmp.RunqLen", what, check.PName(pp), len(pp.Runq))
			}
			if cap(pp.Sudogcache.Get()) < 2 || len(pp.Sudogcache.Get()) != 0 {
				t.Errorf("%s the Sudogcache of %s has %d elements and room for %d; want none, and room for some", what, check.PName(pp), len(pp.Sudogcache.Get()), cap(pp.Sudogcache.Get()))
			}
		}
		if t.Failed() {
			return
		}
	}
}

// resizeAgain checks that a P that is no longer needed is kept, and used again.
func resizeAgain(t *check.T) {
	w := newWorld(t)
	var known []*gmp.P // by ID
	for i, n := range []int32{1, 4, 2, 300, 1, 3000, 4} {
		what := fmt.Sprintf("after Procresize to %v", []int{1, 4, 2, 300, 1, 3000, 4}[:i+1])
		if i == 4 { // one that dies has something to do
			w.put(w.s.Allp.Get()[200], 2)
		}
		list := w.resize(n)
		check.Want(t, what+" what it returns", linked(list), "nothing")
		check.Want(t, what+" the number of Ps, s.Gomaxprocs,", w.s.Gomaxprocs.Get(), n)
		check.Want(t, what+" the number of idle Ps, s.Npidle,", w.s.Npidle.Load(), n-1)
		for id, pp := range w.s.Allp.Get() {
			switch {
			case id == len(known):
				known = append(known, pp)
			case pp != known[id]:
				t.Fatalf("%s P%d is not the same one as before; something may still know a P, so a P is kept for the next time", what, id)
			case !w.s.Runqempty(pp):
				t.Fatalf("%s P%d has Gs in its queue; they went to the global queue when it died", what, id)
			}
			if id > 0 && (check.PState(pp) != "idle" || pp.M.Get() != nil) {
				t.Fatalf("%s the state of P%d is %s, and its M %s; want an idle one without an M", what, id, check.PState(pp), check.MName(pp.M.Get()))
			}
		}
		for _, pp := range w.s.Allp.Get()[n:cap(w.s.Allp.Get())] {
			if pp != nil && check.PState(pp) != "dead" {
				t.Fatalf("%s %s is beyond the end of s.Allp and is %s; want dead: it is surplus", what, check.PName(pp), check.PState(pp))
			}
		}
		for id, pp := range known[n:] {
			if check.PState(pp) != "dead" {
				t.Fatalf("%s P%d is %s; want dead: it is surplus", what, int(n)+id, check.PState(pp))
			}
		}
		w.wantHeld(what, w.m0, known[0])
		if t.Failed() {
			return
		}
	}
	check.Want(t, "P200 had two Gs when it died; the global queue", check.Names(w.global()), "G1, G2")
}

// resizeQueue checks what becomes of the Gs of a P that dies.
func resizeQueue(t *check.T) {
	w := newWorld(t)
	w.resize(4)
	old := []*gmp.G{w.newG(), w.newG()}
	check.Locked(t, w.s, "Globrunqput", func() {
		for _, gp := range old {
			w.s.Globrunqput(gp)
		}
	})
	kept := w.put(w.s.Allp.Get()[1], 1)
	first, second := w.put(w.s.Allp.Get()[2], 4), w.put(w.s.Allp.Get()[3], 3)
	next := w.newG()
	w.s.Allp.Get()[3].Runnext.Store(next)
	second = append([]*gmp.G{next}, second...)
	w.resize(2)
	what := "G1, G2 are on the global queue, P1 has G3, P2 G4 to G7, P3 G8 to G10 and in Runnext G11; after Procresize(M0, 2) the global queue"
	check.Want(t, what+", by s.Runq.Size,", w.s.Runq.Get().Size, 10)
	check.Want(t, what+", as seen without the lock, s.Runqsize,", w.s.Runqsize.Load(), 10)
	got := w.global()
	one, other := slices.Concat(second, first, old), slices.Concat(first, second, old)
	if !slices.Equal(got, one) && !slices.Equal(got, other) {
		t.Errorf("%s is %s; want %s: first those of the Ps that died, each in its order, since they have been runnable for a long time, and would have run soon", what, check.Names(got), check.Names(one))
	}
	if gp, _ := w.s.Runqget(w.s.Allp.Get()[1]); gp != kept[0] {
		t.Errorf("P1 lives on, and its queue has lost G3")
	}
}

// resizeCaches checks what becomes of what a dying P has kept for reuse.
func resizeCaches(t *check.T) {
	w := newWorld(t)
	w.resize(3)
	dying, stays := w.s.Allp.Get()[2], w.s.Allp.Get()[1]
	stays.GFree.Push(w.dead(gmp.StartingStack))
	var gs []*gmp.G
	for i := range 5 {
		size := uint64(gmp.StartingStack)
		if i >= 3 {
			size = 0
		}
		gp := w.dead(size)
		gs = append(gs, gp)
		dying.GFree.Push(gp)
	}
	for range 3 {
		dying.Sudogcache.Set(append(dying.Sudogcache.Get(), new(gmp.Sudog)))
	}
	w.s.Sudogcache.Set(new(gmp.Sudog))
	w.resize(2)
	const what = "P2 had 3 dead Gs with a stack and 2 without, and 3 sudogs; when it has died"
	check.Want(t, what+" the number of dead Gs that it has", dying.GFree.Get().Size, 0)
	check.Want(t, what+" the number of dead Gs on the shared lists, s.GFree.N,", w.s.GFree.N.Get(), 5)
	check.Want(t, what+" the number of those with a stack, on s.GFree.Stack,", w.s.GFree.Stack.Get().Size, 3)
	check.Want(t, what+" the number of those without, on s.GFree.NoStack,", w.s.GFree.NoStack.Get().Size, 2)
	for _, list := range []*gmp.SharedGList{&w.s.GFree.Stack, &w.s.GFree.NoStack} {
		for gp := list.Pop(); gp != nil; gp = list.Pop() {
			if list == &w.s.GFree.Stack && gp.Stack.Get().Lo == 0 || list == &w.s.GFree.NoStack && gp.Stack.Get().Lo != 0 {
				t.Errorf("%s %s, with the stack %#x, is on the wrong one of the two lists", what, check.Name(gp), gp.Stack.Get())
			}
			i := slices.Index(gs, gp)
			if i < 0 {
				t.Fatalf("%s %s is on a shared list twice, or although it was not P2's", what, check.Name(gp))
			}
			gs[i] = nil
		}
	}
	check.Want(t, what+" the number of dead Gs of P1, which lives on,", stays.GFree.Get().Size, 1)
	check.Want(t, what+" the number of sudogs that it has", len(dying.Sudogcache.Get()), 0)
	n := 0
	for sg := w.s.Sudogcache.Get(); sg != nil && n < 10; sg = sg.Next.Get() {
		n++
	}
	check.Want(t, what+" the number of sudogs on the shared list, s.Sudogcache, where there was one,", n, 4)
	if check.Held(&w.s.GFree.Lock) || check.Held(&w.s.Sudoglock) {
		t.Errorf("Procresize returned with GFree.Lock or Sudoglock held")
	}
	w.resize(3)
	if cap(w.s.Allp.Get()[2].Sudogcache.Get()) < 2 {
		t.Errorf("P2 is used again, and its Sudogcache has room for %d; want as much as before", cap(w.s.Allp.Get()[2].Sudogcache.Get()))
	}
}

// resizeMine checks which P the M goes on with that has changed the number.
func resizeMine(t *check.T) {
	for _, c := range []struct {
		has  int // the P that M0 has, of three; -1 for none
		n    int32
		want int32
		why  string
	}{
		{0, 1, 0, "it is still there"},
		{1, 2, 1, "it is still there"},
		{2, 3, 2, "it is still there"},
		{2, 2, 0, "its own dies, so it takes the first"},
		{1, 1, 0, "its own dies, so it takes the first"},
		{-1, 2, 0, "it had none, so it takes the first"},
	} {
		w := newWorld(t)
		w.resize(3)
		ps := slices.Clone(w.s.Allp.Get())
		let(w.m0)
		if c.has >= 0 {
			check.Holding(w.m0, ps[c.has])
		}
		what := fmt.Sprintf("of three Ps M0 has %s; after Procresize(M0, %d)", map[bool]string{true: fmt.Sprintf("P%d", c.has), false: "none"}[c.has >= 0], c.n)
		w.put(ps[0], 1)
		tape := &tapedProcs{Procs: w.s.Procs}
		w.s.Procs = tape
		list := w.resize(c.n)
		if c.has < 0 || c.has >= int(c.n) {
			check.Want(t, what+" how often s.Acquirep was called", tape.acquired, 1)
		}
		if w.m0.P.Get() == nil || w.m0.P.Get().ID != c.want {
			t.Fatalf("%s its P is %s; want P%d: %s", what, check.PName(w.m0.P.Get()), c.want, c.why)
		}
		w.wantHeld(what, w.m0, ps[c.want])
		if c.has >= int(c.n) {
			w.wantFree(what, ps[c.has], "dead")
		}
		if want := map[bool]string{true: "nothing", false: "P0"}[c.want == 0]; linked(list) != want {
			t.Errorf("%s the Ps that it returns: %s; want %s: P0 has a G in its queue, and needs an M unless M0 has it", what, linked(list), want)
		}
		if t.Failed() {
			return
		}
	}
}

// resizeWork checks the Ps that Procresize returns.
func resizeWork(t *check.T) {
	w := newWorld(t)
	w.resize(6)
	for _, id := range []int{0, 1, 3, 5} {
		w.put(w.s.Allp.Get()[id], 1)
	}
	list := w.resize(5)
	const what = "M0 has P0; P0, P1, P3 and P5 have a G in their queues; after Procresize(M0, 5)"
	check.Want(t, what+" the Ps that it returns, by Link,", linked(list), "P1, P3")
	check.Want(t, what+" the list of idle Ps", w.idle(), "P2, P4")
	check.Want(t, what+" the number of idle Ps, s.Npidle,", w.s.Npidle.Load(), 2)
	for pp := list; pp != nil && !t.Failed(); pp = pp.Link.Get() {
		w.wantFree(what, pp, "idle")
	}
	let(w.m0)
	p1 := w.s.Allp.Get()[1]
	check.Holding(w.m0, p1)
	for _, n := range []int32{0, -1} {
		msg := t.Throws(func() { w.s.Procresize(w.m0, n) })
		check.WantThrow(t, fmt.Sprintf("Procresize(M0, %d)", n), check.Thrown(msg), `"procresize: invalid arg"`)
		if len(w.s.Allp.Get()) != 5 || w.s.Gomaxprocs.Get() != 5 || w.m0.P.Get() != p1 {
			t.Errorf("Procresize(M0, %d) has changed s.Allp, s.Gomaxprocs or M0's P before it throws; look at the argument first", n)
		}
	}
}
