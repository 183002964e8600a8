package ch04

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"gosched/chapters/check"
	"gosched/chapters/gmp"
	"gosched/chapters/machine"
)

// A forest is a root and who should wait there: the sudogs of each address, in
// the order in which they should leave.
type forest struct {
	t     *check.T
	w     *world
	gp    *gmp.G
	root  *gmp.SemaRoot
	want  map[machine.Addr][]*gmp.Sudog
	lifo  map[*gmp.Sudog]bool // who came with lifo
	depth int                 // of the tree, at the last look at it
}

func newForest(t *check.T) *forest {
	w := newWorld(t)
	w.bare = true
	return &forest{t: t, w: w, gp: w.newG(), root: new(gmp.SemaRoot), want: map[machine.Addr][]*gmp.Sudog{}, lifo: map[*gmp.Sudog]bool{}}
}

// queue calls SemaQueue and returns what was done, in words.
func (f *forest) queue(addr machine.Addr, lifo bool) string {
	sg, list := &gmp.Sudog{G: machine.CellOf(f.gp)}, f.want[addr]
	f.lifo[sg] = lifo
	f.w.s.SemaQueue(f.w.mp, f.root, addr, sg, lifo)
	if lifo {
		f.want[addr] = append([]*gmp.Sudog{sg}, list...)
	} else {
		f.want[addr] = append(slices.Clone(list), sg)
	}
	return fmt.Sprintf("SemaQueue (lifo %v) for address %#x, with %d waiting before", lifo, uint64(addr), len(list))
}

// came is how sg came, in words.
func (f *forest) came(sg *gmp.Sudog) string {
	if f.lifo[sg] {
		return "with lifo"
	}
	return "without lifo"
}

// dequeue calls SemaDequeue, looks at what it returns, and says what was done, in
// words.
func (f *forest) dequeue(addr machine.Addr) string {
	f.t.Helper()
	list := f.want[addr]
	got := f.w.s.SemaDequeue(f.w.mp, f.root, addr)
	what := fmt.Sprintf("SemaDequeue for address %#x, with %d waiting before", uint64(addr), len(list))
	if len(list) == 0 {
		if got != nil {
			f.t.Fatalf("no G waits for address %#x, but SemaDequeue returned a sudog", uint64(addr))
		}
		return what
	}
	if got == nil {
		f.t.Fatalf("%d wait for address %#x, but SemaDequeue returned nil", len(list), uint64(addr))
	}
	if at := slices.Index(list, got); at != 0 {
		if at < 0 {
			f.t.Fatalf("%s, returned a sudog that does not wait for this address", what)
		}
		f.t.Fatalf("%s, returned one that came %s and should leave as number %d; want the first, which came %s", what, f.came(got), at+1, f.came(list[0]))
	}
	gp := got.G.Get()
	got.G.Set(nil)
	if gp != f.gp || !got.Blank() {
		f.t.Fatalf("%s, returned a sudog in which G has changed, or another field is not zero: some code will follow its links, or take its Ticket for a hand-over", what)
	}
	if f.want[addr] = list[1:]; len(list) == 1 {
		delete(f.want, addr)
	}
	return what
}

// play queues and dequeues n times at random, with look after each step.
func (f *forest) play(n int, look func(after string)) {
	f.t.Helper()
	rnd := rand.New(rand.NewPCG(4, f.t.Seed(4)))
	for range n {
		addr := machine.Addr(0x1000 + 8*rnd.IntN(24))
		if rnd.IntN(100) < 52 {
			look(f.queue(addr, rnd.IntN(3) == 0))
		} else {
			look(f.dequeue(addr))
		}
	}
}

// semaQueue queues and dequeues, and asks only who leaves.
func semaQueue(t *check.T) {
	f := newForest(t)
	f.play(4000, func(string) {})
	for addr := range f.want {
		for len(f.want[addr]) > 0 {
			f.dequeue(addr)
		}
	}
	if root := f.root; root.Treap.Get() != nil || root.List.First.Get() != nil || root.List.Last.Get() != nil {
		t.Errorf("all waiters have left, and the root still has one")
	}
}

// zeroNext is a state of M.Fastrand after which Cheaprand returns 0.
const zeroNext = 0xf8364607e9c949bd

// semaTree queues and dequeues, and looks at the tree after each step.
func semaTree(t *check.T) {
	f := newForest(t)
	f.w.mp.Fastrand.Set(zeroNext)
	what := f.queue(0x1000, false)
	if f.root.Treap.Get() != nil && f.root.Treap.Get().Ticket.Get() == 0 {
		t.Fatalf("Cheaprand returns 0, as it may, and the new node has Ticket 0; want a different one: outside the tree 0 says that nothing was handed over")
	}
	f.verify("after " + what)
	f.play(4000, func(after string) { f.verify("after " + after) })
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
			f.t.Fatalf("%s, the tree has more nodes than there are addresses with waiters, %d: an address is in it twice, or the links go round", after, len(f.want))
		}
		f.depth = max(f.depth, depth)
		switch {
		case sg.Parent.Get() != parent:
			f.t.Fatalf("%s, Parent of the node for address %#x does not lead to the node above it; want %s", after, uint64(sg.Elem.Get()), node(parent))
		case sg.Elem.Get() < lo || sg.Elem.Get() > hi:
			f.t.Fatalf("%s, the tree is out of order by address: %#x is on the wrong side of a node above it", after, uint64(sg.Elem.Get()))
		case sg.Ticket.Get() == 0:
			f.t.Fatalf("%s, the node for address %#x has ticket 0; want a random one, which is not 0", after, uint64(sg.Elem.Get()))
		case parent != nil && sg.Ticket.Get() < parent.Ticket.Get():
			f.t.Fatalf("%s, the heap is out of order: the node for address %#x has a smaller ticket than its parent", after, uint64(sg.Elem.Get()))
		}
		f.verifyList(after, sg)
		walk(sg.Prev.Get(), sg, lo, sg.Elem.Get()-1, depth+1)
		walk(sg.Next.Get(), sg, sg.Elem.Get()+1, hi, depth+1)
	}
	walk(f.root.Treap.Get(), nil, 0, 1<<62, 1)
	if nodes != len(f.want) {
		f.t.Fatalf("%s, the tree has %d nodes, but there are waiters for %d addresses", after, nodes, len(f.want))
	}
}

// node is how messages call a node of the tree.
func node(sg *gmp.Sudog) string {
	if sg == nil {
		return "nil"
	}
	return fmt.Sprintf("the one for address %#x", uint64(sg.Elem.Get()))
}

// verifyList checks the list of a node.
func (f *forest) verifyList(after string, node *gmp.Sudog) {
	f.t.Helper()
	addr := uint64(node.Elem.Get())
	list := f.want[node.Elem.Get()]
	if len(list) == 0 || list[0] != node {
		f.t.Fatalf("%s, the node for address %#x is not the sudog that is first there", after, addr)
	}
	at := node
	for i, want := range list {
		if at != want {
			f.t.Fatalf("%s, the list of address %#x is wrong at place %d of %d", after, addr, i+1, len(list))
		}
		if at != node && (at.Parent.Get() != nil || at.Prev.Get() != nil || at.Next.Get() != nil || at.Waittail.Get() != nil) {
			f.t.Fatalf("%s, the waiter at place %d of %d of address %#x, which is no node of the tree, has a Parent, Prev, Next or Waittail; want that only Waitlink leads on", after, i+1, len(list), addr)
		}
		at = at.Waitlink.Get()
	}
	if at != nil {
		f.t.Fatalf("%s, the list of address %#x continues beyond its last waiter", after, addr)
	}
	if len(list) > 1 && node.Waittail.Get() != list[len(list)-1] {
		f.t.Fatalf("%s, Waittail of the node for address %#x is not the last of its list", after, addr)
	}
	if len(list) == 1 && node.Waittail.Get() != nil {
		f.t.Fatalf("%s, only one waits for address %#x, but Waittail of its node is set; want nil", after, addr)
	}
}

// semaFlat queues addresses in rising order.
func semaFlat(t *check.T) {
	f := newForest(t)
	const n = 1000
	for i := range n {
		f.queue(machine.Addr(0x1000+8*i), false)
	}
	f.verify("after SemaQueue for 1000 addresses in rising order")
	if f.depth > 60 { // about 20 by chance
		t.Errorf("after SemaQueue for %d addresses in rising order, the tree is %d nodes deep; with random tickets it is about 20", n, f.depth)
	}
}

// count makes a count at an address of its own.
func (w *world) count(n uint32) machine.Addr {
	addr := w.chans(1, 0)[0].Addr // any word of memory
	w.s.Machine.SetWord(addr, uint64(n))
	return addr
}

// asks writes down what gp asks Semacquire1 for, as the program would.
func (w *world) asks(gp *gmp.G, addr machine.Addr, lifo bool) {
	w.setArg(gp, 0, uint64(addr))
	w.setArg(gp, 1, 0)
	if lifo {
		w.setArg(gp, 1, 1)
	}
	w.setArg(gp, 2, uint64(gmp.WaitReasonSyncMutexLock))
}

// acquire lets gp acquire.
func (w *world) acquire(gp *gmp.G, addr machine.Addr, lifo bool) (goesOn bool) {
	w.t.Helper()
	w.asks(gp, addr, lifo)
	goesOn = w.as(gp, func() { w.s.Semacquire1(w.mp, gp, addr, lifo, gmp.WaitReasonSyncMutexLock) })
	w.rootIsFree("after Semacquire1", addr)
	return goesOn
}

// release lets gp release. When it makes a waiter ready, the root must be free.
func (w *world) release(gp *gmp.G, addr machine.Addr, handoff bool) {
	w.t.Helper()
	w.atReady = func(waiter *gmp.G) {
		if check.Held(&w.s.Semroot(addr).Lock) {
			w.t.Errorf("when Semrelease1 makes %s ready, the root is still locked: the waiter, on another thread, could not acquire", check.Name(waiter))
		}
	}
	w.as(gp, func() { w.s.Semrelease1(w.mp, gp, addr, handoff) })
	w.atReady = nil
	w.rootIsFree("after Semrelease1", addr)
}

// rootIsFree ends the check if the root of addr is locked, since the next to come
// would wait for ever.
func (w *world) rootIsFree(when string, addr machine.Addr) {
	w.t.Helper()
	if check.Held(&w.s.Semroot(addr).Lock) {
		w.t.Fatalf("%s, the root is still locked", when)
	}
}

// wantSema checks the count at addr and the number of waiters at its root.
func (w *world) wantSema(when string, addr machine.Addr, count uint64, nwait uint32) {
	w.t.Helper()
	if wrong := w.wrongSema(addr, count, nwait); wrong != "" {
		w.t.Errorf("%s, %s", when, wrong)
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
		if root := w.s.Semroot(addr); !check.Held(&root.Lock) || root.Nwait.Load() != 1 {
			t.Errorf("when the G parks, its root must be locked and Nwait 1, or a release could miss it")
		}
	}
	if w.acquire(b, addr, false) {
		t.Fatalf("the count is 0, and Semacquire1 does not wait")
	}
	if got := w.parks[0].reason; got != gmp.WaitReasonSyncMutexLock {
		t.Errorf("the G waits for %q; want the reason given to Semacquire1", got)
	}
	w.wantSema("when one G waits", addr, 0, 1)
	w.release(a, addr, false)
	w.wantSema("after Semrelease1 with one waiter", addr, 1, 0)
	if !w.resume(b) {
		t.Fatalf("the count is 1, and the waiter that was woken waits again")
	}
	w.wantSema("when the waiter has run", addr, 0, 0)
	if w.lent != 0 || b.Param.Get() != nil {
		t.Errorf("the waiter goes on, but its sudog is not released, or gp.Param is set")
	}
}

// semaBarging lets somebody take the count before the one who was woken for it. That one
// waits again, where and for what it asked first.
func semaBarging(t *check.T) {
	for _, lifo := range []bool{false, true} {
		w := newWorld(t)
		w.atPark = func(gp *gmp.G) {
			w.wantCont(gp)
			if w.lent > 2 {
				t.Errorf("two Gs wait, one of which was woken before, and %d sudogs are in use: want a woken waiter to release its sudog before it waits with another one", w.lent)
			}
		}
		addr := w.count(0)
		waiting, a, b, c := w.newG(), w.newG(), w.newG(), w.newG()
		w.acquire(a, addr, lifo)
		w.acquire(waiting, addr, false)
		w.release(b, addr, false)
		if !w.acquire(c, addr, false) {
			t.Fatalf("the count is 1, but Semacquire1 waits, because another G was woken")
		}
		if w.resume(a) {
			t.Fatalf("%s took the count before %s, which was woken for it, could run; %s still goes on: both have it", check.Name(c), check.Name(a), check.Name(a))
		}
		w.wantSema("when the woken G waits again", addr, 0, 2)
		if got := w.parks[len(w.parks)-1].reason; got != gmp.WaitReasonSyncMutexLock {
			t.Errorf("a woken G waits again for %q; want the reason for which it waited before, %q", got, gmp.WaitReasonSyncMutexLock)
		}
		want := []*gmp.G{waiting, a}
		if lifo {
			want = []*gmp.G{a, waiting}
		}
		for i, gp := range want {
			w.release(b, addr, false)
			if got := check.Drain(w.s); len(got) != 1 || got[0] != gp {
				t.Fatalf("%s asked with lifo %v and waits again, %s has waited all the time, without lifo; release %d wakes %s; want %s", check.Name(a), lifo, check.Name(waiting), i+1, check.Names(got), check.Name(gp))
			}
		}
		if w.lent != 2 {
			t.Errorf("two were woken and have not run; %d sudogs are in use; want 2: a waiter that waits again releases its sudog, and acquires one anew", w.lent)
		}
	}
}

// semaHandoff gives the count to the waiter directly.
func semaHandoff(t *check.T) {
	w := newWorld(t)
	w.atPark = w.wantCont
	addr := w.count(0)
	a, b, c := w.newG(), w.newG(), w.newG()
	w.acquire(a, addr, false)
	w.atYield = func(*gmp.G) {
		if check.State(a) != "runnable" {
			t.Errorf("a G that hands over yields before the waiter is ready: %s is %s", check.Name(a), check.State(a))
		}
	}
	w.release(b, addr, true)
	w.wantSema("after a Semrelease1 that hands over", addr, 0, 0)
	if len(w.yields) != 1 || w.yields[0] != b {
		t.Errorf("Semrelease1 with handoff has woken the waiter and did not yield; the G that hands over must yield, so that the waiter runs at once")
	}
	gs := check.Drain(w.s)
	if !slices.Contains(gs, a) {
		t.Fatalf("after a Semrelease1 that hands over, runnable are %s; want the waiter, %s, among them", check.Names(gs), check.Name(a))
	}
	if sg := a.Param.Get(); sg == nil || sg.Ticket.Get() != 1 {
		t.Fatalf("the count was handed to %s; want its Param to be its sudog, with Ticket 1", check.Name(a))
	}
	if w.acquire(c, addr, false) {
		t.Errorf("the count was handed to %s, and %s took one as well", check.Name(a), check.Name(c))
	}
	if !w.goOn(a) {
		t.Errorf("%s was handed the count, and waits again", check.Name(a))
	}
	w.wantSema("when it has run", addr, 0, 1)
	// Nobody waits: there is nobody to hand over to.
	free := w.count(0)
	w.yields = nil
	w.release(b, free, true)
	if w.s.Machine.Word(free) != 1 || len(w.yields) != 0 {
		t.Errorf("Semrelease1 with handoff, and no G waits: want a count of 1, and no yield")
	}
	semaSnatched(t)
}

// semaSnatched lets somebody take the count before it can be handed over.
func semaSnatched(t *check.T) {
	w := newWorld(t)
	addr := w.count(0)
	a, b := w.newG(), w.newG()
	w.acquire(a, addr, false)
	taken := false
	w.atDequeue = func() { taken = w.s.Cansemacquire(addr) }
	w.release(b, addr, true)
	w.atDequeue = nil
	if !taken {
		return // it was out of reach
	}
	if len(w.yields) != 0 {
		t.Errorf("Semrelease1 is to hand over, and another G takes the count first; it yields, though there is nothing left to hand over")
	}
	if w.resume(a) {
		t.Errorf("Semrelease1 is to hand over, and another G takes the count first; %s, which was woken, goes on as if it had it", check.Name(a))
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
		w.release(b, addr, false)
		if got := check.Drain(w.s); len(got) != 1 || got[0] != gp {
			t.Fatalf("%s, %s came to wait in this order, and then %s with lifo; release %d woke %s; want %s", check.Name(gs[1]), check.Name(gs[2]), check.Name(gs[0]), i+1, check.Names(got), check.Name(gp))
		}
	}
	w.release(b, addr, true)
	if got := w.s.Machine.Word(addr); got != 4 {
		t.Errorf("4 were released, the last one to be handed over, and no G waits for this address any more: the count is %d; want 4, since what is taken for a waiter that is not there is lost", got)
	}
	if got := check.Drain(w.s); len(got) != 0 {
		t.Errorf("no G waits for this address any more, and a release woke %s, which waits for another", check.Names(got))
	}
	if got := w.s.Semroot(addr).Nwait.Load(); got != 1 {
		t.Errorf("one G waits for another address of this root, and Nwait is %d; want 1", got)
	}
}

// wrongSema says what is wrong with the count at addr, or with Nwait of its root.
func (w *world) wrongSema(addr machine.Addr, count uint64, nwait uint32) string {
	if got := w.s.Machine.Word(addr); got != count {
		return fmt.Sprintf("the count is %d; want %d", got, count)
	}
	if got := w.s.Semroot(addr).Nwait.Load(); got != nwait {
		return fmt.Sprintf("Nwait is %d; want %d", got, nwait)
	}
	return ""
}
