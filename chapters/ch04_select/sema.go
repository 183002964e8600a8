package ch04

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"

	"gosched/chapters/check"
	"gosched/chapters/gmp"
	"gosched/chapters/machine"
)

// A forest is a treap and what it should hold.
type forest struct {
	t     *check.T
	root  *gmp.SemaRoot
	want  map[machine.Addr][]*gmp.Sudog
	depth int
}

// verify checks both orders of the tree, its links, and the lists.
func (f *forest) verify(after string) {
	f.t.Helper()
	f.depth = 0
	nodes := 0
	var walk func(sg, parent *gmp.Sudog, lo, hi machine.Addr, depth int)
	walk = func(sg, parent *gmp.Sudog, lo, hi machine.Addr, depth int) {
		if sg == nil {
			return
		}
		if nodes++; nodes > len(f.want) {
			f.t.Fatalf("%s, the tree has more nodes than there are addresses with waiters, %d: an address stands in it twice, or the links go round", after, len(f.want))
		}
		f.depth = max(f.depth, depth)
		list := f.want[sg.Elem]
		switch {
		case sg.Parent != parent:
			f.t.Fatalf("%s, Parent of the node for address %#x is wrong", after, uint64(sg.Elem))
		case sg.Elem < lo || sg.Elem > hi:
			f.t.Fatalf("%s, the tree is out of order by address: %#x stands on the wrong side of a node above it", after, uint64(sg.Elem))
		case sg.Ticket == 0:
			f.t.Fatalf("%s, the node for address %#x has ticket 0; it must be random, and not 0", after, uint64(sg.Elem))
		case parent != nil && sg.Ticket < parent.Ticket:
			f.t.Fatalf("%s, the heap is out of order: the node for address %#x has a smaller ticket than its parent", after, uint64(sg.Elem))
		case len(list) == 0 || list[0] != sg:
			f.t.Fatalf("%s, the node for address %#x is not the sudog that is first there", after, uint64(sg.Elem))
		}
		at := sg
		for i, want := range list {
			if at != want {
				f.t.Fatalf("%s, the list of address %#x is wrong at place %d of %d", after, uint64(sg.Elem), i+1, len(list))
			}
			at = at.Waitlink
		}
		if at != nil {
			f.t.Fatalf("%s, the list of address %#x goes on behind its last", after, uint64(sg.Elem))
		}
		if len(list) > 1 && sg.Waittail != list[len(list)-1] {
			f.t.Fatalf("%s, Waittail of the node for address %#x is not the last of its list", after, uint64(sg.Elem))
		}
		walk(sg.Prev, sg, lo, sg.Elem-1, depth+1)
		walk(sg.Next, sg, sg.Elem+1, hi, depth+1)
	}
	walk(f.root.Treap, nil, 0, 1<<62, 1)
	if nodes != len(f.want) {
		f.t.Fatalf("%s, the tree has %d nodes; there are waiters for %d addresses", after, nodes, len(f.want))
	}
}

// semaTree queues and dequeues at random, and looks at the tree after each step.
func semaTree(t *check.T) {
	w := newWorld(t)
	f := &forest{t: t, root: new(gmp.SemaRoot), want: map[machine.Addr][]*gmp.Sudog{}}
	rnd := rand.New(rand.NewPCG(4, 4))
	gp := w.newG()
	for range 4000 {
		addr := machine.Addr(0x1000 + 8*rnd.IntN(24))
		list := f.want[addr]
		if rnd.IntN(100) < 52 {
			sg := &gmp.Sudog{G: gp}
			lifo := rnd.IntN(3) == 0
			w.s.SemaQueue(w.mp, f.root, addr, sg, lifo)
			if lifo {
				f.want[addr] = append([]*gmp.Sudog{sg}, list...)
			} else {
				f.want[addr] = append(slices.Clone(list), sg)
			}
			f.verify(fmt.Sprintf("after SemaQueue (lifo %v) for address %#x, with %d waiters before", lifo, uint64(addr), len(list)))
			continue
		}
		got := w.s.SemaDequeue(w.mp, f.root, addr)
		if len(list) == 0 {
			if got != nil {
				t.Fatalf("nobody waits for address %#x, but SemaDequeue returned a sudog", uint64(addr))
			}
			continue
		}
		if got != list[0] {
			t.Fatalf("SemaDequeue did not return the first of %d waiters for address %#x", len(list), uint64(addr))
		}
		if *got != (gmp.Sudog{G: gp}) {
			t.Fatalf("a sudog has left the tree, and not all its fields but G are zero: somebody will follow it, or take its Ticket for a hand-over")
		}
		if f.want[addr] = list[1:]; len(list) == 1 {
			delete(f.want, addr)
		}
		f.verify(fmt.Sprintf("after SemaDequeue for address %#x, with %d waiters before", uint64(addr), len(list)))
	}
}

// semaFlat queues addresses in rising order.
func semaFlat(t *check.T) {
	w := newWorld(t)
	f := &forest{t: t, root: new(gmp.SemaRoot), want: map[machine.Addr][]*gmp.Sudog{}}
	const n = 1000
	for i := range n {
		addr := machine.Addr(0x1000 + 8*i)
		sg := new(gmp.Sudog)
		w.s.SemaQueue(w.mp, f.root, addr, sg, false)
		f.want[addr] = []*gmp.Sudog{sg}
	}
	f.verify("after SemaQueue for 1000 addresses in rising order")
	if f.depth > 60 { // about 25 by chance
		t.Errorf("after SemaQueue for %d addresses in rising order, the tree is %d nodes deep; with random tickets it is about 25", n, f.depth)
	}
}

// count makes a count at an address of its own.
func (w *world) count(n uint32) machine.Addr {
	addr := w.chans(1, 0)[0].Addr // any word of memory
	w.s.Machine.SetWord(addr, uint64(n))
	return addr
}

// acquire lets gp acquire, as the program would.
func (w *world) acquire(gp *gmp.G, addr machine.Addr, lifo bool) (goesOn bool) {
	w.t.Helper()
	w.setArg(gp, 0, uint64(addr))
	w.setArg(gp, 1, 0)
	if lifo {
		w.setArg(gp, 1, 1)
	}
	w.setArg(gp, 2, uint64(gmp.WaitReasonSyncMutexLock))
	return w.as(gp, func() { w.s.Semacquire1(w.mp, gp, addr, lifo, gmp.WaitReasonSyncMutexLock) })
}

func (w *world) wantSema(when string, addr machine.Addr, count uint64, nwait uint32) {
	w.t.Helper()
	root := w.s.Semroot(addr)
	if isHeld(&root.Lock) {
		w.t.Fatalf("%s, the root is still locked", when)
	}
	if got := w.s.Machine.Word(addr); got != count {
		w.t.Errorf("%s, the count is %d, want %d", when, got, count)
	}
	if got := root.Nwait.Load(); got != nwait {
		w.t.Errorf("%s, Nwait is %d, want %d", when, got, nwait)
	}
}

// semaAcquire takes what is there, and waits when nothing is.
func semaAcquire(t *check.T) {
	w := newWorld(t)
	addr := w.count(1)
	a, b := w.newG(), w.newG()
	if !w.acquire(a, addr, false) {
		t.Fatalf("the count is 1, and Semacquire1 waits")
	}
	w.wantSema("after Semacquire1 with a count of 1", addr, 0, 0)
	w.atPark = func(gp *gmp.G) {
		if root := w.s.Semroot(addr); !isHeld(&root.Lock) || root.Nwait.Load() != 1 {
			t.Errorf("when the G parks, its root should be locked and Nwait 1, else a release could miss it")
		}
	}
	if w.acquire(b, addr, false) {
		t.Fatalf("the count is 0, and Semacquire1 does not wait")
	}
	if got := w.parks[0].reason; got != gmp.WaitReasonSyncMutexLock {
		t.Errorf("the G waits for %q, want the reason given to Semacquire1", got)
	}
	w.wantSema("when one waits", addr, 0, 1)
	w.as(a, func() { w.s.Semrelease1(w.mp, a, addr, false) })
	w.wantSema("after Semrelease1 with one waiter", addr, 1, 0)
	if !w.resume(b) {
		t.Fatalf("the count is 1, and the waiter that was woken waits again")
	}
	w.wantSema("when the waiter has run", addr, 0, 0)
	if w.lent != 0 || b.Param != nil {
		t.Errorf("the waiter goes on, and its sudog is not released, or gp.Param is set")
	}
}

// semaBarging lets somebody take the count before the one who was woken for it.
func semaBarging(t *check.T) {
	w := newWorld(t)
	addr := w.count(0)
	a, b, c := w.newG(), w.newG(), w.newG()
	w.acquire(a, addr, false)
	w.as(b, func() { w.s.Semrelease1(w.mp, b, addr, false) })
	if !w.acquire(c, addr, false) {
		t.Fatalf("the count is 1, and Semacquire1 waits, because another G was woken")
	}
	if w.resume(a) {
		t.Fatalf("%s took the count before %s, which was woken for it, could run; %s goes on nevertheless: both have it", name(c), name(a), name(a))
	}
	w.wantSema("when the woken G waits again", addr, 0, 1)
}

// semaHandoff gives the count to the waiter directly.
func semaHandoff(t *check.T) {
	w := newWorld(t)
	addr := w.count(0)
	a, b, c := w.newG(), w.newG(), w.newG()
	w.acquire(a, addr, false)
	w.as(b, func() { w.s.Semrelease1(w.mp, b, addr, true) })
	w.wantSema("after a Semrelease1 that hands over", addr, 0, 0)
	if len(w.yields) != 1 || w.yields[0] != b {
		t.Errorf("who hands over should yield, so that the waiter runs at once")
	}
	gs := w.woken()
	if !slices.Contains(gs, a) {
		t.Fatalf("after a Semrelease1 that hands over, runnable are %s; want also the waiter, %s", names(gs), name(a))
	}
	if w.acquire(c, addr, false) {
		t.Errorf("the count was handed to %s, and %s took one as well", name(a), name(c))
	}
	cont := a.Cont
	a.Cont = nil
	if !w.as(a, func() { cont(w.s, w.mp, a) }) {
		t.Errorf("%s was handed the count, and waits again", name(a))
	}
	w.wantSema("when it has run", addr, 0, 1)
	// Nobody waits: there is nobody to hand over to.
	free := w.count(0)
	w.yields = nil
	w.as(b, func() { w.s.Semrelease1(w.mp, b, free, true) })
	if w.s.Machine.Word(free) != 1 || len(w.yields) != 0 {
		t.Errorf("Semrelease1 with handoff, and nobody waits: want a count of 1, and no yield")
	}
}

// semaOrder wakes waiters of two addresses with one root.
func semaOrder(t *check.T) {
	w := newWorld(t)
	addr := w.count(0)
	var other machine.Addr
	for other = w.count(0); w.s.Semroot(other) != w.s.Semroot(addr); {
		other = w.count(0)
	}
	gs := []*gmp.G{w.newG(), w.newG(), w.newG()}
	x, b := w.newG(), w.newG()
	w.acquire(gs[1], addr, false)
	w.acquire(x, other, false)
	w.acquire(gs[2], addr, false)
	w.acquire(gs[0], addr, true)
	w.wantSema("when four wait at one root", addr, 0, 4)
	for i, gp := range gs {
		w.as(b, func() { w.s.Semrelease1(w.mp, b, addr, false) })
		if got := w.woken(); len(got) != 1 || got[0] != gp {
			t.Fatalf("%s, %s came to wait in this order, and then %s with lifo; release %d woke %s, want %s", name(gs[1]), name(gs[2]), name(gs[0]), i+1, names(got), name(gp))
		}
	}
	w.as(b, func() { w.s.Semrelease1(w.mp, b, addr, false) })
	if got := w.woken(); len(got) != 0 {
		t.Errorf("nobody waits for this address any more, and a release woke %s, which waits for another", names(got))
	}
	w.wantSema("when one waits for another address of this root", addr, 4, 1)
}

// semaRecheck releases between the first look of Semacquire1 and its lock, which
// the check holds until then. When exactly the two threads meet is up to the
// machine, so there are many rounds, in which the release comes later and later.
func semaRecheck(t *check.T) {
	w := newWorld(t)
	for round := range 100 {
		addr := w.count(0)
		gp := w.newG()
		root := w.s.Semroot(addr)
		root.Lock.Lock()
		done := make(chan bool)
		go func() {
			for range 10 * round {
				runtime.Gosched()
			}
			w.s.Semadd(addr) // a release that finds Nwait 0 does no more
			root.Lock.Unlock()
			close(done)
		}()
		goesOn := w.acquire(gp, addr, false)
		<-done
		if !goesOn {
			t.Fatalf("the count became 1 before the G was counted in Nwait, and the G waits: nobody will wake it")
		}
		w.wantSema("when the G has taken it", addr, 0, 0)
	}
}
