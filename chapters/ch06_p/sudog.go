package ch06

import (
	"fmt"

	"gosched/chapters/check"
	"gosched/chapters/gmp"
	"gosched/chapters/machine"
)

// sudogOwn checks that free sudogs are on the P, blank, for whoever has it.
func sudogOwn(t *check.T) {
	w := holding(t)
	p0 := w.s.Allp.Get()[0]
	var sgs []*gmp.Sudog
	known := map[*gmp.Sudog]bool{}
	for range 3 {
		sg := w.s.AcquireSudog(w.m0)
		if sg == nil || known[sg] {
			t.Fatalf("there is no free sudog; AcquireSudog(M0) returns nil, or one that is in use; want a new one")
		}
		known[sg] = true
		sgs = append(sgs, sg)
	}
	locked := t.AcquisitionsOf("sched.sudoglock", func() {
		for _, sg := range sgs {
			// What an operation leaves behind.
			sg.G.Set(&gmp.G{Goid: machine.CellOf[int64](1)})
			sg.Success.Set(true)
			sg.Case.Set(2)
			sg.Ticket.Set(3)
			sg.Waiters.Set(4)
			sg.Acquire.Set(5)
			sg.Parent.Set(sgs[0])
			sg.Waittail.Set(sgs[1])
			w.s.ReleaseSudog(w.m0, sg)
		}
	})
	check.Want(t, "M0 has P0; after three ReleaseSudog(M0) the number of sudogs in P0.Sudogcache", len(p0.Sudogcache.Get()), 3)
	check.Want(t, "how often three ReleaseSudog took Sudoglock", locked, 0)
	if w.m0.Sudogcache.Get() != nil {
		t.Errorf("ReleaseSudog(M0) put a sudog into M0.Sudogcache; from now on they belong to the P")
	}
	if t.Failed() {
		return
	}
	if sg := w.s.AcquireSudog(w.m1); known[sg] {
		t.Fatalf("the free sudogs are on P0; AcquireSudog(M1), which has P1, returns one of them: only the M that holds P0 may look there, since there is no lock")
	}
	let(w.m0)
	let(w.m1)
	check.Holding(w.m1, p0)
	locked = t.AcquisitionsOf("sched.sudoglock", func() {
		for range 3 {
			sg := w.s.AcquireSudog(w.m1)
			if !known[sg] {
				t.Fatalf("three sudogs were released on P0, and M1 now has P0; AcquireSudog(M1) returns a different one, or one of them twice")
			}
			if !sg.Blank() {
				t.Fatalf("AcquireSudog returned a sudog with something left over from its last use; all fields must be zero")
			}
			delete(known, sg)
		}
	})
	wantNoneBehind(t, p0)
	check.Want(t, "how often three AcquireSudog from a list with three took Sudoglock", locked, 0)
}

// wantNoneBehind checks that behind the end of pp.Sudogcache nothing is left.
func wantNoneBehind(t *check.T, pp *gmp.P) {
	t.Helper()
	cache := pp.Sudogcache.Get()
	for _, sg := range cache[len(cache):cap(cache)] {
		if sg != nil {
			t.Errorf("%s.Sudogcache has %d elements, and the array beyond them still points to a sudog that has gone: that keeps it, and all that it points to, from the garbage collector", check.PName(pp), len(cache))
			return
		}
	}
}

// sudogThrows checks that a sudog that is in use cannot be given back.
func sudogThrows(t *check.T) {
	w := holding(t)
	for _, c := range []struct {
		sg   *gmp.Sudog
		want string
	}{
		{&gmp.Sudog{Elem: machine.CellOf[machine.Addr](0x4000)}, "runtime: sudog with non-nil elem"},
		{&gmp.Sudog{IsSelect: machine.CellOf[bool](true)}, "runtime: sudog with non-false isSelect"},
		{&gmp.Sudog{Next: machine.CellOf(new(gmp.Sudog))}, "runtime: sudog with non-nil next"},
		{&gmp.Sudog{Prev: machine.CellOf(new(gmp.Sudog))}, "runtime: sudog with non-nil prev"},
		{&gmp.Sudog{Waitlink: machine.CellOf(new(gmp.Sudog))}, "runtime: sudog with non-nil waitlink"},
		{&gmp.Sudog{C: machine.CellOf(new(gmp.Hchan))}, "runtime: sudog with non-nil c"},
	} {
		if msg := t.Throws(func() { w.s.ReleaseSudog(w.m0, c.sg) }); msg != c.want {
			t.Errorf("ReleaseSudog of a sudog that is still in use throws %s; want %q", check.Thrown(msg), c.want)
		}
	}
}

// sudogBalance lets M0 release sudogs that M1 has acquired, as happens when a G waits
// on one P and goes on on another: the shared list is between them.
func sudogBalance(t *check.T) {
	w := holding(t)
	p0, p1 := w.s.Allp.Get()[0], w.s.Allp.Get()[1]
	for i := range room {
		w.s.ReleaseSudog(w.m0, new(gmp.Sudog))
		check.Want(t, fmt.Sprintf("P0 has room for %d; after %d ReleaseSudog(M0) the number in P0.Sudogcache", room, i+1), len(p0.Sudogcache.Get()), i+1)
	}
	if w.s.Sudogcache.Get() != nil {
		t.Errorf("P0 had room, and ReleaseSudog(M0) put a sudog on the shared list")
	}
	w.s.ReleaseSudog(w.m0, new(gmp.Sudog))
	check.Want(t, "after one more, the number in P0.Sudogcache", len(p0.Sudogcache.Get()), room/2+1)
	check.Want(t, "after one more, the number on the shared list, s.Sudogcache,", w.forAll(), room/2)
	wantNoneBehind(t, p0)
	if t.Failed() {
		return
	}
	for range room {
		w.s.ReleaseSudog(w.m0, new(gmp.Sudog))
	}
	check.Want(t, "and after as many again as there is room for, on the shared list", w.forAll(), 3*room/2)
	sg := w.s.AcquireSudog(w.m1)
	check.Want(t, fmt.Sprintf("P1 has none, and %d are on the shared list; after AcquireSudog(M1) the number in P1.Sudogcache", 3*room/2), len(p1.Sudogcache.Get()), room/2-1)
	check.Want(t, "after it the number on the shared list", w.forAll(), room)
	if sg == nil || sg.Next.Get() != nil {
		t.Errorf("AcquireSudog(M1) returned nil, or a sudog that still points to the next one on the list")
	}
	if t.Failed() {
		return
	}

	// 1000 sudogs go from P1 to P0, ten at a time.
	known := map[*gmp.Sudog]bool{}
	locked := t.AcquisitionsOf("sched.sudoglock", func() {
		for range 100 {
			var used []*gmp.Sudog
			for range 10 {
				sg := w.s.AcquireSudog(w.m1)
				for _, other := range used {
					if sg == other {
						t.Fatalf("AcquireSudog(M1) returned a sudog that is already in use; two Gs would write to it")
					}
				}
				used = append(used, sg)
			}
			for _, sg := range used {
				known[sg] = true
				w.s.ReleaseSudog(w.m0, sg)
			}
		}
	})
	// P0 may keep as many as it has room for; and at one time ten are in use.
	if len(known) > 3*room+10 {
		t.Errorf("M1 acquired 1000 sudogs, ten at a time, and M0 released them; %d different ones were used for this: those that P0 gave away did not come back to P1", len(known))
	}
	if limit := int64(2*1000/(room/2)) + 4; locked > limit {
		t.Errorf("1000 sudogs went from P1 to P0, and Sudoglock was taken %d times; want %d at most: %d go at once", locked, limit, room/2)
	}
}

// forAll is how many sudogs are on the shared list, up to a hundred.
func (w *world) forAll() int {
	n := 0
	for sg := w.s.Sudogcache.Get(); sg != nil && n < 100; sg = sg.Next.Get() {
		n++
	}
	return n
}
