package ch01

import (
	"slices"
	"strings"

	"gosched/chapters/check"
	"gosched/chapters/gmp"
	"gosched/chapters/machine"
)

func freeReuse(t *check.T) {
	f := load(t, gmp.Version{})
	if gp := f.Gfget(f.mp); gp != nil {
		t.Fatalf("Gfget of an empty free list returned a G; want nil")
	}

	put := map[*gmp.G]machine.Stack{}
	for goid := int64(1); goid <= 3; goid++ {
		gp := f.dead(goid, gmp.StartingStack)
		put[gp] = gp.Stack.Get()
		f.Gfput(f.mp, gp)
		f.wantN(t, goid, 0)
	}
	var got []string
	for range 4 {
		gp := f.Gfget(f.mp)
		got = append(got, check.Name(gp))
		if gp == nil {
			break
		}
		stack, ok := put[gp]
		if !ok {
			t.Fatalf("Gfget returned %s, which was never put on the free list", check.Name(gp))
		}
		if gp.Stack.Get() != stack {
			t.Errorf("%s had a stack of the right size, %#x, and came back with %#x", check.Name(gp), stack, gp.Stack.Get())
		}
		if gp.Schedlink.Get() != nil {
			t.Errorf("%s has left the free list, but its Schedlink still points to %s", check.Name(gp), check.Name(gp.Schedlink.Get()))
		}
		f.wantN(t, 3, int64(len(got)))
	}
	want := []string{"G3", "G2", "G1", "nil"}
	if !slices.Equal(want, got) {
		t.Errorf("after Gfput of G1, G2, G3, Gfget returned %s; want %s", strings.Join(got, ", "), strings.Join(want, ", "))
	}

	live := f.dead(4, 2*gmp.StartingStack)
	live.Atomicstatus.Store(gmp.Grunnable)
	stack := live.Stack.Get()
	if thrown := t.Throws(func() { f.Gfput(f.mp, live) }); thrown == "" {
		t.Errorf("Gfput took a G that is runnable; it must throw")
	} else if live.Stack.Get() != stack {
		t.Errorf("Gfput refuses a G that is runnable, as it must, but it has freed the G's stack first: the traceback will not find where the G is")
	}
}

// wantN checks GFree.N, and that nobody has kept the lock.
func (f fixture) wantN(t *check.T, put, got int64) {
	if !f.GFree.Lock.TryLock() {
		t.Fatalf("after %d calls of Gfput and %d of Gfget, GFree.Lock is still locked", put, got)
	}
	defer f.GFree.Lock.Unlock()
	if n := int64(f.GFree.N.Get()); n != put-got {
		t.Errorf("after %d calls of Gfput and %d of Gfget, GFree.N is %d; want %d", put, got, n, put-got)
	}
}

func freeStacks(t *check.T) {
	f := load(t, gmp.Version{})
	const grown = 4 * gmp.StartingStack

	big := f.dead(1, grown)
	memory := big.Stack.Get()
	f.Gfput(f.mp, big)
	if big.Stack.Get() != (machine.Stack{}) {
		t.Errorf("G1's stack had grown to %d bytes; after Gfput the G must no longer have it, but it has %#x", grown, big.Stack.Get())
	}
	if f.Stackalloc(grown) != memory {
		t.Errorf("Gfput did not free G1's stack of %d bytes: the next Stackalloc of that size did not get its memory", grown)
	}

	small := f.dead(2, gmp.StartingStack)
	f.Gfput(f.mp, small)
	bigger := f.dead(3, 2*gmp.StartingStack)
	f.Gfput(f.mp, bigger)

	var got []string
	for range 3 {
		gp := f.Gfget(f.mp)
		got = append(got, check.Name(gp))
		if gp == nil {
			break
		}
		f.wantN(t, 3, int64(len(got)))
		if size := gp.Stack.Get().Hi - gp.Stack.Get().Lo; size != gmp.StartingStack {
			t.Errorf("%s came from the free list with a stack of %d bytes; want %d", check.Name(gp), size, gmp.StartingStack)
		} else if guard, want := gp.Sched.Guard.Load(), uint64(gp.Stack.Get().Lo)+gmp.StackGuard; guard != want {
			t.Errorf("%s came from the free list with its guard at %#x; want %#x, StackGuard above its stack's low end", check.Name(gp), guard, want)
		}
	}
	want := []string{"G2", "G3", "G1"}
	if !slices.Equal(want, got) {
		t.Errorf("G1 and G3 were put without a stack, since theirs had grown, and G2, between them, with one; Gfget returned %s; want %s",
			strings.Join(got, ", "), strings.Join(want, ", "))
	}
}
