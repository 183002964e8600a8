package ch07

import (
	"gosched/chapters/check"
	"gosched/chapters/gmp"
)

// putTail checks first in, first out, with rings that go round.
func putTail(t *check.T) {
	for _, n := range []int{2, 4, gmp.RunqLen} {
		newBench(t, n).fillAndEmpty()
	}
}

// fillAndEmpty lets p0's ring go round, full and half full.
func (b *bench) fillAndEmpty() {
	b.t.Helper()
	n := len(b.p0.Runq)
	b.get(nil)
	for range 3 {
		gs := b.gs(n)
		b.putAll(gs)
		for _, gp := range gs {
			if b.get(gp) {
				b.fatalf("inheritTime is set, for a G from the ring")
			}
		}
		b.get(nil)
	}
	for range 3 * n { // half full
		first, second := b.newG(), b.newG()
		b.putAll([]*gmp.G{first, second})
		b.get(first)
		b.get(second)
	}
}

// nearTheEnd is a number so near to 2^32 that heads and tails that begin with it wrap
// around soon, as they do after four billion Gs.
const nearTheEnd = 1<<32 - 3

// wrap checks rings of which the numbers wrap around: simple things first, and then any.
func wrap(t *check.T) {
	for _, n := range []int{2, 4, gmp.RunqLen} {
		b := newBenchAt(t, n, nearTheEnd)
		b.told(b.fillAndEmpty)
		for have := range n + 1 {
			b := newBenchAt(t, n, nearTheEnd)
			b.told(func() { b.steals(have, false) })
		}
	}
	inAnyOrder(t, 90, nearTheEnd)
}

// putNext checks that the newest G runs first, and the one before it goes to the
// tail.
func putNext(t *check.T) {
	b := newBench(t, 4)
	g := b.gs(4)
	b.put(g[0], false)
	b.put(g[1], true)
	if !b.get(g[1]) {
		b.fatalf("inheritTime is not set, for the G in Runnext")
	}
	b.put(g[1], true)
	b.put(g[2], true) // kicks g[1] out
	b.put(g[3], false)
	b.get(g[2])
	for _, gp := range []*gmp.G{g[0], g[1], g[3]} {
		if b.get(gp) {
			b.fatalf("inheritTime is set, for a G from the ring")
		}
	}
	b.get(nil)
}

// A driver runs Gs on one P as the scheduler does: newproc puts a new one in
// Runnext; schedule looks at the global queue at each 61st tick, then at the P, then
// takes a batch from the global queue.
type driver struct {
	*bench
	schedtick uint32
	ran       []*gmp.G
}

func (d *driver) spawn(gp *gmp.G) { d.put(gp, true) }

func (d *driver) schedule() bool {
	gp, inheritTime := d.find()
	if gp == nil {
		return false
	}
	if !inheritTime {
		d.schedtick++
	}
	d.ran = append(d.ran, gp)
	return true
}

func (d *driver) find() (gp *gmp.G, inheritTime bool) {
	s := d.s
	if d.schedtick%61 == 0 && s.Runq.Get().Size > 0 {
		return s.Runq.Pop(), false
	}
	if gp, inheritTime = s.Runqget(d.p0); gp != nil {
		return gp, inheritTime
	}
	s.Lock.Lock()
	gp, q := s.Globrunqgetbatch(int32(len(d.p0.Runq)) / 2)
	s.Lock.Unlock()
	if rest := s.Runqputbatch(d.p0, q); rest.Size > 0 {
		d.fatalf("Runqputbatch finds no room for %s on an empty ring", check.Names(listed(&rest)))
	}
	return gp, false
}

// ranIn returns in which order n Gs run, numbered from 0, that one G spawns before it
// waits.
func (b *bench) ranIn(n int) []*gmp.G {
	b.s.Gomaxprocs.Set(1)
	d := &driver{bench: b, schedtick: 1}
	for i := range n {
		d.spawn(newG(int64(i)))
	}
	for len(d.ran) <= n && d.schedule() {
	}
	return d.ran
}

// spawnOrder checks the order that surprises: of five Gs the last one first.
func spawnOrder(t *check.T) {
	b := newBench(t, gmp.RunqLen)
	got := b.ranIn(5)
	b.want("five Gs, spawned in the order of their numbers, run in the order", got, reordered(4, 0, 1, 2, 3))
}

// spawnOverflow checks the order of 258, one more than fit: half of the ring has
// gone through the global queue, and the G that found no room behind it.
func spawnOverflow(t *check.T) {
	b := newBench(t, gmp.RunqLen)
	got := b.ranIn(258)
	// Runnext; 60 from the ring; then each 61st tick one from the global queue.
	order := span(nil, 257, 257)
	order = span(order, 128, 187)
	order = span(order, 0, 0)
	order = span(order, 188, 247)
	order = span(order, 1, 1)
	order = span(order, 248, 255)
	order = span(order, 2, 127)
	order = span(order, 256, 256)
	b.want("258 Gs, spawned in the order of their numbers, run in the order", got, reordered(order...))
}

// span appends the numbers from first to last.
func span(list []int64, first, last int64) []int64 {
	for i := first; i <= last; i++ {
		list = append(list, i)
	}
	return list
}

// reordered returns Gs with these numbers.
func reordered(goids ...int64) []*gmp.G {
	var list []*gmp.G
	for _, goid := range goids {
		list = append(list, newG(goid))
	}
	return list
}

// overflow checks what happens when a G finds the ring full.
func overflow(t *check.T) {
	for _, n := range []int{2, 4, gmp.RunqLen} {
		b := newBench(t, n)
		watch := watchGlobal(b)
		gs := b.gs(n + 1)
		b.putAll(gs[:n])
		if times := t.Acquisitions(func() { b.put(gs[n], false) }); times != 1 {
			b.fatalf("for this it took s.Lock %d times; want once, for all %d Gs: in between another P sees some of them, and a ring exists to spare the lock that all share", times, n/2+1)
		}
		watch.lockFree()
		half := n / 2
		b.checkQueue("the global queue", b.s.Runq.Get(), append(append([]*gmp.G(nil), gs[:half]...), gs[n]))
		b.s.Runq.Set(gmp.GQueue{})
		b.want("the ring", b.rest(b.p0), gs[half:n])

		// The G that finds no room may be one that was kicked out of Runnext.
		b.done = nil
		gs = b.gs(n + 2)
		for _, gp := range gs {
			b.put(gp, true)
		}
		b.checkQueue("the global queue", b.s.Runq.Get(), append(append([]*gmp.G(nil), gs[:half]...), gs[n]))
		b.s.Runq.Set(gmp.GQueue{})
		b.want("Runnext and the ring", b.rest(b.p0), append([]*gmp.G{gs[n+1]}, gs[half:n]...))
	}
}

// putSlow checks Runqputslow alone.
func putSlow(t *check.T) {
	b := newBench(t, 4)
	watch := watchGlobal(b)
	gs := b.gs(4)
	b.putAll(gs)
	h, tail := b.p0.Runqhead.Load(), b.p0.Runqtail.Load()
	b.get(gs[0])
	late := b.newG()
	b.did("Runqputslow(%s), with the head from before the Runqget", check.Name(late))
	if b.s.Runqputslow(b.p0, late, h, tail) {
		b.fatalf("it returns true, although the head has moved since, and there is room")
	}
	watch.lockFree()
	b.checkQueue("the global queue", b.s.Runq.Get(), nil)
	b.want("the ring", b.rest(b.p0), gs[1:])

	b.done = nil
	b.putAll(gs[:3])
	h, tail = b.p0.Runqhead.Load(), b.p0.Runqtail.Load()
	const notFull = "runqputslow: queue is not full"
	if msg := t.Throws(func() { b.s.Runqputslow(b.p0, late, h, tail) }); msg != notFull {
		b.fatalf("Runqputslow on a ring of 4 with 3 Gs throws %s; want %q", check.Thrown(msg), notFull)
	}
	b.want("the ring", b.rest(b.p0), gs[:3])
}

// A globalWatch sees to it that the lock is held where the global queue is used.
type globalWatch struct {
	gmp.RunQueue
	b *bench
}

// watchGlobal lets the parts of b call the methods of the global queue through a
// watch.
func watchGlobal(b *bench) *globalWatch {
	w := &globalWatch{b.s.RunQueue, b}
	b.s.RunQueue = w
	b.s.GlobalQueue = &globalPutWatch{b.s.GlobalQueue, w}
	return w
}

func (w *globalWatch) Globrunqputbatch(q gmp.GQueue) {
	w.held("Globrunqputbatch")
	w.RunQueue.Globrunqputbatch(q)
}

type globalPutWatch struct {
	gmp.GlobalQueue
	w *globalWatch
}

func (p *globalPutWatch) Globrunqput(gp *gmp.G) {
	p.w.held("Globrunqput")
	p.GlobalQueue.Globrunqput(gp)
}

func (w *globalWatch) held(method string) {
	if !check.Held(&w.b.s.Lock.Mutex) {
		w.b.fatalf("%s was called without s.Lock", method)
	}
}

// lockFree checks that s.Lock was given back.
func (w *globalWatch) lockFree() {
	w.b.t.Helper()
	if check.Held(&w.b.s.Lock.Mutex) {
		w.b.fatalf("s.Lock is still held")
	}
}
