package machine

import (
	"math"
	"math/bits"
	"sync/atomic"
)

// The heap gives out objects and takes back those that the program can no longer
// reach. It is Go's, in small: objects of up to maxSmall bytes are rounded up to a size
// class and lie side by side in a span, a run of pages that holds one class, either
// objects with pointers or objects without. A larger object has a span of its own. A
// table of pages leads from any address, also one inside an object, to the span, and a
// division from there to the object.
//
// Each thread takes small objects from spans of its own, one for each class and kind:
// its allocation cache, the runtime's mcache. Only spans are taken under the lock.

const (
	pageShift = 10
	pageBytes = 1 << pageShift
	maxSmall  = 2 << 10
	// maxSpanPages is the size of a span of small objects in a heap that has many of
	// them. The first of a class are smaller, so that a small program needs little.
	maxSpanPages = 16
)

// classBytes are the sizes of small objects.
var classBytes = [...]Addr{
	8, 16, 24, 32, 48, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384, 448, 512,
	640, 768, 896, 1024, 1280, 1536, 2048,
}

const numClasses = len(classBytes)

// classOf is the class of objects by their size in words, and firstPages the size in
// pages of the first span of a class: the smallest that wastes at most an eighth.
var classOf, firstPages = func() (of [maxSmall/8 + 1]uint8, pages [numClasses]int) {
	class := 0
	for words := range of {
		if Addr(8*words) > classBytes[class] {
			class++
		}
		of[words] = uint8(class)
	}
	for class, size := range classBytes {
		n := Addr(1)
		for n*pageBytes < size || n*pageBytes%size*8 > n*pageBytes {
			n++
		}
		pages[class] = int(n)
	}
	return of, pages
}()

// HeapPoison fills objects that were freed, if Options.PoisonFreed is set. It is no valid
// address, so a program that follows a pointer from one faults at once.
const HeapPoison = 0xdead_0b1e_dead_0b1e

// A kind says how the pointers of an object are found: the number of a layout, that of
// its elements. kindHeader is added if there is a word before the first of them. 0 is an
// object without pointers.
type kind uint32

const kindHeader kind = 1 << 31

// A span is pages that hold n objects of one size. What is under the lock of the arena
// is marked so; while a thread has the span in its cache, the rest is that thread's.
type span struct {
	base   Addr
	size   Addr // of an object
	n      int
	pages  int
	magic  uint64 // for the division by size
	class  int    // numClasses for a large object
	noscan bool
	cached bool // in a thread's cache; under the lock
	dirty  bool // objects must be made zero when they are given out

	// A bit for each object. An object that is given to a cache counts as allocated.
	// Markers read the first while the cache's thread writes it, and several at once write
	// the second.
	allocated, marked []uint64
	kinds             []kind // of each object; nil if noscan
}

// heap is the part of the arena that knows of objects. It is under the arena's lock.
type heap struct {
	// Markers read the first two without the lock.
	table   []uint32                // span of each page of memory, as an index into spans; 0 for none
	spans   atomic.Pointer[[]*span] // by number from 1; nil where a number is unused
	unused  []uint32                // numbers of spans that are unused
	partial [2 * numClasses][]*span
	pages   [2 * numClasses]int // of the next span

	used    uint64      // bytes given to objects and to caches
	trigger uint64      // how many of them ask for a collection
	asks    atomic.Bool // so many there are, or Options.GCEvery is set
	threads []*Thread

	specials map[Addr][]special // by the base of an object
	cleanups uint64             // numbers of cleanups so far
	gc       gc
	stats    HeapStats
}

func (h *heap) init(m *Machine) {
	h.table = make([]uint32, m.size>>pageShift)
	h.spans.Store(&[]*span{nil})
	h.specials = map[Addr][]special{}
	h.trigger = math.MaxUint64
	h.asks.Store(m.Options.GCEvery > 0)
	h.gc.single = m.Options.GCEvery > 0
}

// index returns the number of the object of s that addr is in.
func (s *span) index(addr Addr) int {
	hi, _ := bits.Mul64(uint64(addr-s.base), s.magic)
	return int(hi)
}

// object returns the base of object i.
func (s *span) object(i int) Addr { return s.base + Addr(i)*s.size }

func has(set []uint64, i int) bool { return set[i>>6]>>(i&63)&1 != 0 }
func add(set []uint64, i int)      { set[i>>6] |= 1 << (i & 63) }
func remove(set []uint64, i int)   { set[i>>6] &^= 1 << (i & 63) }

// spanOf returns the span that addr lies in, nil if there is none. addr may be anything.
// Without the lock it is for markers, during whose time spans are made, but none is freed.
func (h *heap) spanOf(addr Addr) *span {
	page := addr >> pageShift
	if page >= Addr(len(h.table)) {
		return nil
	}
	number := atomic.LoadUint32(&h.table[page])
	if number == 0 {
		return nil
	}
	return (*h.spans.Load())[number]
}

// find returns the object that addr is in: its span and its number there. addr may be
// anything. The collector calls it.
func (h *heap) find(addr Addr) (s *span, i int, ok bool) {
	if s = h.spanOf(addr); s == nil {
		return nil, 0, false
	}
	if i = s.index(addr); i >= s.n { // what is left over at the end of a span
		return nil, 0, false
	}
	return s, i, atomic.LoadUint64(&s.allocated[i>>6])>>(i&63)&1 != 0
}

// newSpan takes a span for n objects of a size, for publish. The lock is held.
func (a *arena) newSpan(pages int, size Addr, n int, class int, noscan bool) *span {
	at, dirty, ok := a.takePages(pages)
	if !ok {
		return nil
	}
	words := (n + 63) / 64
	sets := make([]uint64, 2*words)
	s := &span{
		base: at, size: size, n: n, pages: pages, magic: math.MaxUint64/uint64(size) + 1,
		class: class, noscan: noscan, dirty: dirty, allocated: sets[:words:words], marked: sets[words:],
	}
	if !noscan {
		s.kinds = make([]kind, n)
	}
	return s
}

// publish lets s be found. The lock is held.
func (h *heap) publish(s *span) {
	spans := *h.spans.Load()
	number := uint32(len(spans))
	if last := len(h.unused) - 1; last >= 0 {
		number, h.unused = h.unused[last], h.unused[:last]
		spans[number] = s
	} else {
		spans = append(spans, s)
		h.spans.Store(&spans)
	}
	for page := range Addr(s.pages) {
		atomic.StoreUint32(&h.table[s.base>>pageShift+page], number)
	}
}

// freeSpan gives the pages of s back. The lock is held.
func (a *arena) freeSpan(s *span) {
	h, first := &a.heap, s.base>>pageShift
	number := h.table[first]
	for page := range Addr(s.pages) {
		h.table[first+page] = 0
	}
	(*h.spans.Load())[number] = nil
	h.unused = append(h.unused, number)
	a.freePages(s.base, s.pages)
}

// A cache is where a thread takes objects of one class and kind from: the free objects of
// a span side by side, [next, limit), and what else is free in the span.
type cache struct {
	next, limit Addr
	size        Addr
	span        *span
	index       int // of the object at next
	rest        int // free objects of the span beyond limit
	dirty       bool
}

// Alloc returns a new object of n bytes without pointers, zeroed and aligned to 8; false
// if there is no room. All objects of no bytes share one address. Only the owner of t may
// call it. It never asks for a collection: its caller may hold addresses that the
// collector would not find. The runtime's mallocgc.
func (t *Thread) Alloc(n int64) (Addr, bool) { return t.malloc(n, 0) }

// AllocChan is Alloc for a channel: a word without a pointer, and then n elements.
func (t *Thread) AllocChan(elem *Type, n int64) (Addr, bool) {
	k := kind(elem.Layout)
	if k != 0 {
		k |= kindHeader
	}
	return t.malloc(8+n*elem.Size, k)
}

// mallocgc is malloc for the program of c, which can be collected at this instruction: if a
// collection is due the trap is TrapGC, and the instruction has had no effect.
func (t *Thread) mallocgc(c *Context, n int64, k kind) (Addr, Trap) {
	if t.m.arena.heap.asks.Load() && t.due() {
		return 0, TrapGC
	}
	addr, ok := t.malloc(n, k)
	if !ok {
		c.Fault = Addr(n)
		return 0, TrapOutOfMemory
	}
	return addr, TrapNone
}

// A newSite is what NEW must know of a layout: the cache of its objects, -1 if they are not
// small, and their kind.
type newSite struct {
	cache int32
	kind  kind
}

// newSites are those of the layouts of p, by number.
func (p *Program) newSites() []newSite {
	sites := make([]newSite, len(p.Layouts))
	for i := range p.Layouts {
		l, s := &p.Layouts[i], &sites[i]
		s.kind = l.kind(i)
		switch {
		case l.Size <= 0 || l.Size > maxSmall:
			s.cache = -1
		case s.kind == 0:
			s.cache = int32(classOf[(l.Size+7)>>3])
		default:
			s.cache = int32(numClasses) + int32(classOf[(l.Size+7)>>3])
		}
	}
	return sites
}

// newFast is mallocgc for an object of a layout, if that is a small one, its cache has
// some, and no collection is due.
func (t *Thread) newFast(layout int32) (Addr, bool) {
	site := t.m.sites[layout]
	if site.cache < 0 {
		return 0, false
	}
	c := &t.caches[site.cache]
	addr := c.next
	if addr == c.limit || t.m.arena.heap.asks.Load() {
		return 0, false
	}
	c.next = addr + c.size
	if c.dirty {
		clear(t.m.words[addr>>3 : c.next>>3])
	}
	if site.kind != 0 {
		c.span.kinds[c.index] = site.kind
		c.index++
	}
	return addr, true
}

// due reports whether the program is to be collected before its next allocation. An
// instruction that was there when that happened gets on, whether or not it has helped, and
// also if it makes several objects.
func (t *Thread) due() bool {
	if t.collected {
		return false
	}
	if every := t.m.Options.GCEvery; every > 0 {
		t.allocs++
		t.collected = t.allocs%every == 0
	} else {
		t.collected = true
	}
	return t.collected
}

// GCPass lets the instruction that t executes next make its objects without asking for a
// collection. Only the owner of t may call it.
func (t *Thread) GCPass() { t.collected = true }

// GCDue reports whether the program is to be collected before the runtime makes an object
// for it; then not again until the program has gone on. Only the owner of t calls it.
func (t *Thread) GCDue() bool { return t.m.arena.heap.asks.Load() && t.due() }

func (t *Thread) malloc(n int64, k kind) (Addr, bool) {
	if uint64(n-1) < maxSmall {
		c := &t.caches[classOf[(n+7)>>3]]
		if k != 0 {
			c = &t.caches[numClasses+int(classOf[(n+7)>>3])]
		}
		if c.next == c.limit && !t.refill(c) {
			return 0, false
		}
		addr := c.next
		c.next += c.size
		if c.dirty {
			clear(t.m.words[addr>>3 : c.next>>3])
		}
		if k != 0 {
			c.span.kinds[c.index] = k
			c.index++
		}
		return addr, true
	}
	if n == 0 {
		return t.m.zeroBase, true
	}
	if n < 0 || n > t.m.Size() {
		return 0, false
	}
	return t.m.arena.large(Addr(n), k)
}

// large returns a new object of n bytes that has a span of its own.
func (a *arena) large(n Addr, k kind) (Addr, bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	pages := (n + pageBytes - 1) / pageBytes
	s := a.newSpan(int(pages), pages*pageBytes, 1, numClasses, k == 0)
	if s == nil {
		return 0, false
	}
	a.heap.given(s, 1)
	add(s.allocated, 0)
	if k != 0 {
		s.kinds[0] = k
	}
	if a.mem.marking {
		s.mark(0)
	}
	if s.dirty {
		clear(a.mem.words[s.base>>3 : (s.base+s.size)>>3])
	}
	a.heap.publish(s)
	return s.base, true
}

// mark marks object i, and reports whether it was not marked before. Several markers
// may call it at once.
func (s *span) mark(i int) bool {
	bit := uint64(1) << (i & 63)
	word := &s.marked[i>>6]
	return atomic.LoadUint64(word)&bit == 0 && atomic.OrUint64(word, bit)&bit == 0
}

// given counts n objects of s that are given out. The lock is held.
func (h *heap) given(s *span, n int) {
	h.used += uint64(n) * uint64(s.size)
	if h.used >= h.trigger {
		h.asks.Store(true)
	}
	h.stats.Mallocs += uint64(n)
	h.stats.TotalAlloc += uint64(n) * uint64(s.size)
}

// refill gives c free objects. It reports false if there are none.
func (t *Thread) refill(c *cache) bool {
	if c.span != nil && c.rest > 0 {
		t.nextRun(c)
		return true
	}
	class := 0
	for &t.caches[class] != c {
		class++
	}
	a := &t.m.arena
	a.mu.Lock()
	defer a.mu.Unlock()
	if c.span != nil {
		c.span.cached = false
		*c = cache{}
	}
	s := a.takePartial(class)
	if s == nil {
		if s = a.newSmall(class); s == nil {
			return false
		}
	}
	s.cached = true
	free := s.n
	for _, w := range s.allocated {
		free -= bits.OnesCount64(w)
	}
	a.heap.given(s, free)
	*c = cache{span: s, size: s.size, rest: free, dirty: s.dirty}
	t.nextRun(c)
	return true
}

// takePartial takes a span that has free objects. The lock is held.
func (a *arena) takePartial(class int) *span {
	list := a.heap.partial[class]
	if len(list) == 0 {
		return nil
	}
	s := list[len(list)-1]
	a.heap.partial[class] = list[:len(list)-1]
	return s
}

// newSmall takes a new span, each twice as large as the one before, but no more than a
// part of the memory that was never used, or as large as there is room for. The lock is held.
func (a *arena) newSmall(class int) *span {
	size, first := classBytes[class%numClasses], firstPages[class%numClasses]
	next := &a.heap.pages[class]
	const part = 64
	for pages := max(min(*next, int(a.hi-a.lo)/part/pageBytes), first); pages >= 1; pages /= 2 {
		n := Addr(pages) * pageBytes / size
		if n == 0 {
			break
		}
		if s := a.newSpan(pages, size, int(n), class%numClasses, class < numClasses); s != nil {
			*next = min(2*pages, max(maxSpanPages, first))
			a.heap.publish(s)
			return s
		}
	}
	return nil
}

// nextRun makes the next free objects of c's span, side by side, those of c.
func (t *Thread) nextRun(c *cache) {
	s := c.span
	i := s.index(c.limit)
	if c.limit == 0 {
		i = 0
	}
	for has(s.allocated, i) {
		if s.allocated[i>>6] == math.MaxUint64 {
			i = (i>>6 + 1) << 6
		} else {
			i++
		}
	}
	end := i + 1
	for !t.m.arena.heap.gc.single && end < s.n && !has(s.allocated, end) {
		end++
	}
	s.take(i, end, t.m.marking)
	c.index, c.next, c.limit = i, s.object(i), s.object(end)
	c.rest -= end - i
	if c.dirty {
		t.m.given(c.next, int64(c.limit-c.next))
	}
}

// take makes objects [i, end) allocated, for the thread that has s in its cache. While a
// collection marks, new objects are black.
func (s *span) take(i, end int, black bool) {
	for w := i >> 6; w <= (end-1)>>6; w++ {
		bits := ^uint64(0)
		if w == i>>6 {
			bits <<= i & 63
		}
		if w == (end-1)>>6 {
			bits &= math.MaxUint64 >> (63 - (end-1)&63)
		}
		if black {
			atomic.OrUint64(&s.marked[w], bits)
		}
		atomic.StoreUint64(&s.allocated[w], s.allocated[w]|bits)
	}
}

// flush gives back what is left of t's caches. The lock is held, and t's owner stands
// still.
func (t *Thread) flush() {
	h := &t.m.arena.heap
	for i := range t.caches {
		c := &t.caches[i]
		s := c.span
		if s == nil {
			continue
		}
		left := int(c.limit-c.next) / int(s.size)
		for k := s.index(c.next); k < s.index(c.next)+left; k++ {
			remove(s.allocated, k)
			remove(s.marked, k)
		}
		left += c.rest
		h.used -= uint64(left) * uint64(s.size)
		h.stats.Mallocs -= uint64(left)
		h.stats.TotalAlloc -= uint64(left) * uint64(s.size)
		s.cached = false
		if left > 0 {
			h.partial[i] = append(h.partial[i], s)
		}
		*c = cache{}
	}
}

// HeapBytes returns how many bytes were given to the heap: to objects, and to the
// allocation caches of threads. Any thread may call it.
func (m *Machine) HeapBytes() uint64 {
	m.arena.mu.Lock()
	defer m.arena.mu.Unlock()
	return m.arena.heap.used
}

// Unused returns how many of them t has been given and has not made objects of.
// Only the owner of t may call it, or one who has stopped it.
func (t *Thread) Unused() uint64 {
	n := Addr(0)
	for i := range t.caches {
		c := &t.caches[i]
		n += c.limit - c.next + Addr(c.rest)*c.size
	}
	return uint64(n)
}
