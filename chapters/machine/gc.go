package machine

import (
	"math/bits"
	"sync"
)

// The collector is the heap's half of one: it marks and sweeps. The scheduler's half says
// when, stops the world, and names the roots; see gmp/gc.go for their list.
//
// GCStart and GCSweep need a stopped world. In between the program may run, and several
// markers beside it. Then what it does must not hide an object from them:
//
//   - An object that is made is marked at once.
//   - Where an address is stored, or overwritten, in anything but the frame of the goroutine
//     itself, both the old and the new one are shaded. The old one, since a marker might have
//     found the object only here; the new one, since it may come from a stack that was not
//     scanned yet and go where nobody looks again. This is Go's hybrid write barrier, and it
//     needs no second look at a stack.
//
// Marking is over when nothing is left to mark in a stopped world: who runs may always shade
// something more. Sweeping is done in that stopped world, too.
//
// An address keeps the whole object alive that it lies in, wherever it points there. None
// that a program holds lies one byte past the end of its object: a slice or string without
// elements keeps the address of the one that it was cut from, and as in Go a struct that ends
// with a field of no bytes has one byte more.

// A gcWork is an object to be scanned, from a word on.
type gcWork struct {
	base Addr
	from Addr
}

// gc is the state of a collection.
type gc struct {
	single bool // caches hold one object at a time: Options.GCEvery

	mu      sync.Mutex // of what follows; whoever holds it takes no other lock
	grey    []gcWork   // what no marker has taken
	markers int        // at work in GCMark
	live    map[*Func]*liveness
}

// HeapStats are figures of the heap. Bytes are those of the places that objects take.
type HeapStats struct {
	TotalAlloc     uint64 // bytes of all objects that were made
	Mallocs, Frees uint64 // how many objects were made, and freed
	Live           uint64 // bytes of objects that the last collection kept
	NumGC          uint32 // collections
}

// Stats returns the figures of the heap. What is in the caches of threads counts as
// made; see Unused.
func (m *Machine) Stats() HeapStats {
	a := &m.arena
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.heap.stats
}

// GCTrigger lets the program be asked for a collection when the bytes of HeapBytes reach
// n. Any thread may call it.
func (m *Machine) GCTrigger(n uint64) {
	a := &m.arena
	a.mu.Lock()
	defer a.mu.Unlock()
	a.heap.trigger = n
	a.heap.asks.Store(a.heap.used >= n || m.Options.GCEvery > 0)
}

// GCAsked reports whether a collection is due. Any thread may call it.
func (m *Machine) GCAsked() bool { return m.arena.heap.asks.Load() }

// NextGC returns what GCTrigger has set. Any thread may call it.
func (m *Machine) NextGC() uint64 {
	a := &m.arena
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.heap.trigger
}

// GCStart begins a collection. All threads of m must have stopped. From here to GCSweep
// objects are marked when they are made, and stores of addresses have a write barrier.
func (m *Machine) GCStart() {
	a := &m.arena
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, t := range a.heap.threads {
		t.flush()
	}
	m.marking = true
}

// GCMarking reports whether a collection is between GCStart and GCSweep. Any thread may
// call it that the world would wait for.
func (m *Machine) GCMarking() bool { return m.marking }

// GCShade keeps the object that addr lies in, if GCMarking; addr may be anything else, too.
// Roots are shaded with it, and what the scheduler takes from one place that the collector knows
// to another. Any thread may call it that the world would wait for.
func (m *Machine) GCShade(addr Addr) {
	if !m.marking {
		return
	}
	if s, i, ok := m.arena.heap.find(addr); ok && s.mark(i) && !s.noscan {
		m.arena.heap.gc.add(gcWork{base: s.object(i)})
	}
}

// add adds w to what is to be scanned.
func (g *gc) add(w ...gcWork) {
	g.mu.Lock()
	g.grey = append(g.grey, w...)
	g.mu.Unlock()
}

// GCData shades what the package variables hold. The program may run. It returns how many
// bytes it has scanned.
func (m *Machine) GCData() (scanned int64) {
	for i, word := range m.Program.Pointers {
		for ; word != 0; word &= word - 1 {
			m.GCShade(Addr(m.peek(NilPage + 8*Addr(64*i+bits.TrailingZeros64(word)))))
		}
	}
	return 8 * 64 * int64(len(m.Program.Pointers))
}

// GCStack shades what the goroutine of c holds in its frames, and in c. It must stand
// still, as after SuspendG. It returns how many bytes it has scanned.
func (m *Machine) GCStack(c *Context) (scanned int64) {
	switch c.Panic {
	case PanicPlain, PanicError, PanicAssert: // the text
		m.GCShade(Addr(c.X))
	}
	at := c
	m.Frames(c, func(fr Frame) bool {
		m.stackMap(fr, at, m.GCShade)
		scanned += int64(fr.Ret - fr.SP)
		at = nil
		return true
	})
	return scanned
}

// oblet is how many bytes of a large object are scanned at once.
const oblet = 16 << 10

// A marker is one at work: it takes from what is to be scanned, and gives back what it
// has too much of. Between two calls of GCMark nobody holds any.
type marker struct {
	m    *Machine
	n    int
	work [2 * markerBatch]gcWork
}

// markerBatch is how many objects a marker takes and gives at once.
const markerBatch = 64

// GCMark scans about n bytes of objects that are shaded, and shades what they point to.
// It returns how many it has scanned, and whether nothing is left, neither for it nor with
// other markers; while the program runs it may shade more. Any thread may call it, several at once,
// between GCStart and GCFinalizers.
func (m *Machine) GCMark(n int64) (scanned int64, done bool) {
	g := &m.arena.heap.gc
	g.mu.Lock()
	g.markers++
	g.mu.Unlock()
	k := &marker{m: m}
	for scanned < n && k.take() {
		k.n--
		w := k.work[k.n]
		s, i, _ := m.arena.heap.find(w.base)
		scanned += int64(k.scan(s, i, w.from))
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	g.markers--
	g.grey = append(g.grey, k.work[:k.n]...)
	return scanned, len(g.grey) == 0 && g.markers == 0
}

// GCWorkAvailable reports whether GCMark would find something to scan. Any thread may
// call it. The runtime's gcMarkWorkAvailable.
func (m *Machine) GCWorkAvailable() bool {
	g := &m.arena.heap.gc
	g.mu.Lock()
	defer g.mu.Unlock()
	return len(g.grey) > 0
}

// take sees to it that k has something to scan. It reports false if there is nothing.
func (k *marker) take() bool {
	if k.n > 0 {
		return true
	}
	g := &k.m.arena.heap.gc
	g.mu.Lock()
	defer g.mu.Unlock()
	left := max(len(g.grey)-markerBatch, 0)
	k.n = copy(k.work[:], g.grey[left:])
	g.grey = g.grey[:left]
	return k.n > 0
}

// add adds w to what k is to scan.
func (k *marker) add(w gcWork) {
	if k.n == len(k.work) {
		k.m.arena.heap.gc.add(k.work[:markerBatch]...)
		k.n = copy(k.work[:], k.work[markerBatch:])
	}
	k.work[k.n] = w
	k.n++
}

// shade is GCShade for what k finds.
func (k *marker) shade(addr Addr) {
	if s, i, ok := k.m.arena.heap.find(addr); ok && s.mark(i) && !s.noscan {
		k.add(gcWork{base: s.object(i)})
	}
}

// scan shades what object i of s points to, from a byte on that is a multiple of 8.
func (k *marker) scan(s *span, i int, from Addr) Addr {
	kind := s.kinds[i]
	base := s.object(i)
	at := base + from
	stop := base + s.size
	if at+oblet < stop {
		stop = at + oblet
		k.add(gcWork{base, stop - base})
	}
	k.m.pointers(kind, base, at, stop, func(at Addr) { k.shade(Addr(k.m.peek(at))) })
	return stop - base - from
}

// GCMarked reports whether the object that addr lies in is kept so far; true for what is no
// object.
func (m *Machine) GCMarked(addr Addr) bool {
	s, i, ok := m.arena.heap.find(addr)
	return !ok || has(s.marked, i)
}

// GCSweep ends a collection: what is not marked is free. Nothing must be left to mark.
func (m *Machine) GCSweep() {
	a := &m.arena
	a.mu.Lock()
	defer a.mu.Unlock()
	h := &a.heap
	for _, t := range h.threads { // they have made objects since GCStart
		t.flush()
	}
	for i := range h.partial {
		h.partial[i] = h.partial[i][:0]
	}
	m.marking = false
	h.gc.grey = nil // it may have grown large, and the next collection is far off
	for _, s := range *h.spans.Load() {
		if s != nil {
			a.sweep(s, m.Options.PoisonFreed)
		}
	}
	h.stats.Live = h.used
	h.stats.NumGC++
}

// sweep frees the objects of s that are not marked. The lock is held.
func (a *arena) sweep(s *span, poison bool) {
	h := &a.heap
	freed, kept := 0, 0
	for w, allocated := range s.allocated {
		gone := allocated &^ s.marked[w]
		freed += bits.OnesCount64(gone)
		kept += bits.OnesCount64(s.marked[w])
		s.allocated[w], s.marked[w] = s.marked[w], 0
		for ; gone != 0 && poison; gone &= gone - 1 {
			base := s.object(64*w + bits.TrailingZeros64(gone))
			fill(a.mem.words[base>>3:(base+s.size)>>3], HeapPoison)
		}
	}
	h.used -= uint64(freed) * uint64(s.size)
	h.stats.Frees += uint64(freed)
	s.dirty = s.dirty || freed > 0
	switch {
	case kept == 0:
		a.freeSpan(s)
	case kept < s.n:
		class := s.class
		if !s.noscan {
			class += numClasses
		}
		h.partial[class] = append(h.partial[class], s)
	}
}

// pointers calls yield for each word of [at, end) that may hold an address, in an object at
// base. at is a multiple of 8.
func (m *Machine) pointers(k kind, base, at, end Addr, yield func(at Addr)) {
	l := &m.Program.Layouts[k&^kindHeader]
	words := Addr(l.Size / 8)
	if k&kindHeader != 0 {
		base += 8
		at = max(at, base)
	}
	word := (at - base) / 8 % words // of an element
	for ; at < end; at += 8 {
		if w := int(word >> 6); w < len(l.Pointers) && l.Pointers[w]>>(word&63)&1 != 0 {
			yield(at)
		}
		if word++; word == words {
			word = 0
		}
	}
}

// peek returns the word at addr, which the program may be writing. It is some value
// that was there, and whichever it is, the write barrier sees to the others. The race detector, which
// knows nothing of that, is not told.
//
//go:norace
func (m *Memory) peek(addr Addr) uint64 { return m.words[addr>>3] }

func fill(words []uint64, v uint64) {
	for i := range words {
		words[i] = v
	}
}
