package ch06

import (
	"fmt"

	"gosched/chapters/check"
	"gosched/chapters/gmp"
	"gosched/chapters/machine"
)

// freeOwn checks that dead Gs are on the P, for whoever has it, and need no lock.
func freeOwn(t *check.T) {
	w := holding(t)
	p0 := w.s.Allp.Get()[0]
	gs := []*gmp.G{w.dead(gmp.StartingStack), w.dead(gmp.StartingStack), w.dead(gmp.StartingStack)}
	locked := t.AcquisitionsOf("sched.gFree.lock", func() {
		for _, gp := range gs {
			w.s.Gfput(w.m0, gp)
		}
	})
	check.Want(t, "M0 has P0; after Gfput(M0) of G1, G2, G3 the number of Gs on P0.GFree", p0.GFree.Get().Size, 3)
	check.Want(t, "after that the number of Gs on the shared list, s.GFree.N,", w.s.GFree.N.Get(), 0)
	check.Want(t, "how often three Gfput took GFree.Lock", locked, 0)
	if t.Failed() {
		return
	}
	if gp := w.s.Gfget(w.m1); gp != nil {
		t.Fatalf("G1, G2, G3 are on P0.GFree; Gfget(M1), which has P1, returns %s; want nil: only the M that holds P0 may look there, since there is no lock", check.Name(gp))
	}
	// P0 goes to M1, and what is on it goes with it.
	let(w.m0)
	let(w.m1)
	check.Holding(w.m1, p0)
	locked = t.AcquisitionsOf("sched.gFree.lock", func() {
		for i := 2; i >= 0; i-- {
			got := w.s.Gfget(w.m1)
			check.Want(t, "M0 has put G1, G2, G3 on P0, and M1 now has P0; the result of Gfget(M1)", check.Name(got), check.Name(gs[i]))
			if got != nil && got.Schedlink.Get() != nil {
				t.Errorf("%s has left the list, but its Schedlink still points to %s", check.Name(got), check.Name(got.Schedlink.Get()))
			}
		}
	})
	check.Want(t, "how often three Gfget from a list with three took GFree.Lock", locked, 0)
}

// freeStacks checks that a stack that has grown is freed, and that a G without one gets
// one.
func freeStacks(t *check.T) {
	w := holding(t)
	const grown = 4 * gmp.StartingStack
	big := w.dead(grown)
	memory := big.Stack.Get()
	w.s.Gfput(w.m0, big)
	if big.Stack.Get() != (machine.Stack{}) {
		t.Errorf("G1's stack had grown to %d bytes; after Gfput the G must no longer have it, but it has %#x", grown, big.Stack.Get())
	}
	if w.s.Stackalloc(grown) != memory {
		t.Errorf("Gfput did not free G1's stack of %d bytes: the next Stackalloc of that size did not get its memory", grown)
	}
	got := w.s.Gfget(w.m0)
	check.Want(t, "after Gfput of G1, whose stack had grown, the result of Gfget", check.Name(got), "G1")
	if t.Failed() {
		return
	}
	if size := got.Stack.Get().Hi - got.Stack.Get().Lo; size != gmp.StartingStack {
		t.Errorf("G1 came from the free list with a stack of %d bytes; want %d", size, gmp.StartingStack)
	} else if guard, want := got.Sched.Guard.Load(), uint64(got.Stack.Get().Lo)+gmp.StackGuard; guard != want {
		t.Errorf("G1 came from the free list with its guard at %#x; want %#x, StackGuard above its stack's low end", guard, want)
	}
	live := w.newG()
	live.Stack.Set(w.s.Stackalloc(grown))
	if thrown := t.Throws(func() { w.s.Gfput(w.m0, live) }); thrown == "" {
		t.Errorf("Gfput took a G that is runnable; it must throw")
	} else if n := w.m0.P.Get().GFree.Get().Size; n != 0 {
		t.Errorf("Gfput throws when it is given a G that is runnable, but it has put it on the list first: %d are there", n)
	} else if live.Stack.Get() == (machine.Stack{}) {
		t.Errorf("Gfput throws when it is given a G that is runnable, but it has freed its stack first; look at the state first")
	}

	// One with a stack that has grown, which is one too many: it goes to the shared list.
	for range 63 {
		w.s.Gfput(w.m0, w.dead(gmp.StartingStack))
	}
	w.s.Gfput(w.m0, w.dead(grown))
	with, without := w.s.GFree.Stack.Get().Size, w.s.GFree.NoStack.Get().Size
	onP := 0
	for gp := w.m0.P.Get().GFree.Pop(); gp != nil; gp = w.m0.P.Get().GFree.Pop() {
		if gp.Stack.Get().Lo == 0 {
			onP++
		}
	}
	check.Want(t, "64 Gs ended on M0, the last with a stack that had grown, and 33 of them went to the shared lists; the number on s.GFree.Stack and s.GFree.NoStack together", with+without, 33)
	check.Want(t, "of these and the others together, the number without a stack", int(without)+onP, 1)
	for gp := w.s.GFree.Stack.Pop(); gp != nil; gp = w.s.GFree.Stack.Pop() {
		if gp.Stack.Get().Lo == 0 {
			t.Fatalf("%s, whose stack had grown and was freed, is on s.GFree.Stack, the list of Gs with a stack: an M that takes it believes that it has one", check.Name(gp))
		}
	}
}

// freeBalance lets M0 end Gs and M1 make them: the shared list is between them.
func freeBalance(t *check.T) {
	w := holding(t)
	p0, p1, all := w.s.Allp.Get()[0], w.s.Allp.Get()[1], &w.s.GFree
	const n = 1000
	onP, forAll := 0, 0 // as it should be
	locked := t.AcquisitionsOf("sched.gFree.lock", func() {
		for i := range n {
			size := uint64(gmp.StartingStack)
			if i%3 == 0 {
				size = 0
			}
			w.s.Gfput(w.m0, w.dead(size))
			if onP++; onP == 64 {
				onP, forAll = 31, forAll+33
			}
			if p0.GFree.Get().Size != int32(onP) || all.N.Get() != int32(forAll) {
				t.Fatalf("after %d calls of Gfput(M0) there are %d Gs on P0.GFree, and %d on the shared lists (s.GFree.N); want %d and %d", i+1, p0.GFree.Get().Size, all.N.Get(), onP, forAll)
			}
		}
	})
	check.Want(t, fmt.Sprintf("after %d calls of Gfput(M0) the number of Gs on the two shared lists", n), all.Stack.Get().Size+all.NoStack.Get().Size, all.N.Get())
	if want := int64(forAll / 33); locked > want {
		t.Errorf("%d calls of Gfput(M0) took GFree.Lock %d times; want %d: once whenever there are 64", n, locked, want)
	}

	// There are few with a stack; those come first.
	for all.Stack.Get().Size > 20 {
		all.Stack.Pop()
		all.N.Set(all.N.Get() - 1)
	}
	stacks, before := all.Stack.Get().Size, all.N.Get()
	gp := w.s.Gfget(w.m1)
	if gp == nil {
		t.Fatalf("P1 has no dead G, and there are %d on the shared lists; Gfget(M1) returns nil", before)
	}
	check.Want(t, fmt.Sprintf("P1 has no dead G, and there are %d on the shared lists; after Gfget(M1) the number on the shared lists, s.GFree.N,", before), all.N.Get(), before-32)
	check.Want(t, "after it the number of Gs on P1.GFree", p1.GFree.Get().Size, 31)
	check.Want(t, fmt.Sprintf("the shared list of those with a stack had %d, and P1 took 32; the number left on it", stacks), all.Stack.Get().Size, 0)
	if t.Failed() {
		return
	}

	// And now all of them.
	seen := map[*gmp.G]bool{gp: true}
	count, want := 1, int(p1.GFree.Get().Size+all.N.Get()+p0.GFree.Get().Size)+1
	take := func(mp *gmp.M) {
		for gp := w.s.Gfget(mp); gp != nil; gp = w.s.Gfget(mp) {
			if seen[gp] {
				t.Fatalf("Gfget returned %s twice; two goroutines would use it", check.Name(gp))
			}
			seen[gp] = true
			count++
		}
	}
	locked = t.AcquisitionsOf("sched.gFree.lock", func() { take(w.m1) })
	take(w.m0)
	check.Want(t, fmt.Sprintf("of %d dead Gs, the number that came back from Gfget", want), count, want)
	if limit := int64(before/32) + 2; locked > limit {
		t.Errorf("%d dead Gs were on the shared lists, and M1 took GFree.Lock %d times to get them one by one; want %d at most: 32 come at once", before-32, locked, limit)
	}
}
