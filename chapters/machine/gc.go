package machine

import "math/bits"

// The collector is the heap's half of one: it marks and sweeps. The scheduler's half says
// when, stops the world, and names the roots; see gmp/gc.go for their list. Between
// GCStart and GCSweep the program must not run.
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
	marking bool // objects are black when they are made
	single  bool // caches hold one object at a time: Options.GCEvery
	grey    []gcWork
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

// GCStart begins a collection. All threads of m must have stopped, and stay so until
// GCSweep returns.
func (m *Machine) GCStart() {
	a := &m.arena
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, t := range a.heap.threads {
		t.flush()
	}
	g := &a.heap.gc
	g.marking, g.grey = true, g.grey[:0]
	if g.live == nil {
		g.live = map[*Func]*liveness{}
	}
}

// GCShade keeps the object that addr lies in; addr may be anything else, too. A root is
// shaded in each collection.
func (m *Machine) GCShade(addr Addr) {
	h := &m.arena.heap
	s, i, ok := h.find(addr)
	if ok && s.mark(i) && !s.noscan {
		h.gc.grey = append(h.gc.grey, gcWork{base: s.object(i)})
	}
}

// GCData shades what the package variables hold.
func (m *Machine) GCData() {
	for i, word := range m.Program.Pointers {
		for ; word != 0; word &= word - 1 {
			at := NilPage + 8*Addr(64*i+bits.TrailingZeros64(word))
			m.GCShade(Addr(m.words[at>>3]))
		}
	}
}

// GCStack shades what the goroutine of c holds in its frames, and in c.
func (m *Machine) GCStack(c *Context) {
	switch c.Panic {
	case PanicPlain, PanicError, PanicAssert: // the text
		m.GCShade(Addr(c.X))
	}
	at := c
	m.Frames(c, func(fr Frame) bool {
		m.stackMap(fr, at, m.GCShade)
		at = nil
		return true
	})
}

// oblet is how many bytes of a large object are scanned at once.
const oblet = 16 << 10

// GCMark scans about n bytes of objects that are shaded, and shades what they point to.
// It reports whether none is left.
func (m *Machine) GCMark(n int64) (done bool) {
	h := &m.arena.heap
	for len(h.gc.grey) > 0 && n > 0 {
		last := len(h.gc.grey) - 1
		w := h.gc.grey[last]
		h.gc.grey = h.gc.grey[:last]
		s, i, _ := h.find(w.base)
		n -= int64(m.scan(s, i, w.from))
	}
	return len(h.gc.grey) == 0
}

// scan shades what object i of s points to, from a byte on that is a multiple of 8.
func (m *Machine) scan(s *span, i int, from Addr) Addr {
	h := &m.arena.heap
	k := s.kinds[i]
	l := &m.Program.Layouts[k&^kindHeader]
	base := s.object(i)
	end := base + s.size
	at, word := base+from, Addr(0)
	if k&kindHeader != 0 {
		if from == 0 {
			at += 8
		}
		word = 8
	}
	stop := end
	if at+oblet < end {
		stop = at + oblet
		h.gc.grey = append(h.gc.grey, gcWork{base, stop - base})
	}
	word = (at - base - word) / 8 % Addr(l.Size/8) // of an element
	for ; at < stop; at += 8 {
		if w := int(word >> 6); w < len(l.Pointers) && l.Pointers[w]>>(word&63)&1 != 0 {
			m.GCShade(Addr(m.words[at>>3]))
		}
		if word++; word == Addr(l.Size/8) {
			word = 0
		}
	}
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
	for i := range h.partial {
		h.partial[i] = h.partial[i][:0]
	}
	h.gc.marking = false
	for _, s := range h.spans {
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

func fill(words []uint64, v uint64) {
	for i := range words {
		words[i] = v
	}
}
