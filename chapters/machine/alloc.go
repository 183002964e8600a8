package machine

import (
	"math/bits"
	"sync"
)

// Memory is given out from both ends: to the heap upward, in objects that
// are never freed, since nothing is collected yet; to stacks downward. What is
// between them has never been used and so is zero. Freed stacks are kept by
// size and serve again as stacks or, when the two ends have met, as heap.
//
// Each thread takes objects from a chunk of its own, its allocation cache, and
// only chunks, large objects and stacks are taken under the lock.
type arena struct {
	mu   sync.Mutex
	mem  *Memory
	lo   Addr // end of the heap
	hi   Addr // begin of the lowest stack
	free [maxStackClass + 1][]Addr
	used uint64 // bytes given to the heap
}

// A Stack is the memory [Lo, Hi) of a goroutine's stack.
type Stack struct {
	Lo, Hi Addr
}

// MinStack is the size in bytes of the smallest stack, the runtime's stackMin.
const MinStack = 2048

const maxStackClass = 24 // MinStack << 24 is more than MaxMemBytes

// StackPoison fills a freed stack. It is no valid address, so a program that
// follows a pointer into a stack that was copied away faults at once.
const StackPoison = 0xdead_57ac_dead_57ac

// stackClass returns the k with size == MinStack<<k.
func stackClass(size int64) (class int, ok bool) {
	if size < MinStack || size&(size-1) != 0 {
		return 0, false
	}
	class = bits.TrailingZeros64(uint64(size) / MinStack)
	return class, class <= maxStackClass
}

// StackAlloc returns a stack of size bytes, a power of two not below MinStack;
// false if there is no room, or no such size. A new stack is not cleared. Any
// thread may call it. The runtime's stackalloc.
func (m *Machine) StackAlloc(size int64) (Stack, bool) {
	class, ok := stackClass(size)
	if !ok {
		return Stack{}, false
	}
	a := &m.arena
	a.mu.Lock()
	defer a.mu.Unlock()
	lo, ok := a.takeFree(class, class)
	if !ok {
		lo, ok = a.carve(uint64(size))
	}
	if !ok {
		lo, ok = a.takeFree(class+1, maxStackClass)
	}
	if ok {
		m.given(lo, size)
	}
	return Stack{lo, lo + Addr(size)}, ok
}

// StackFree gives s back and fills it with StackPoison. It must not be used any
// more. The runtime's stackfree.
func (m *Machine) StackFree(s Stack) {
	class, ok := stackClass(int64(s.Hi - s.Lo))
	if !ok || !m.Valid(s.Lo, int64(s.Hi-s.Lo)) {
		throw("stackfree: not a stack")
	}
	if watched && memory != nil {
		m.access(s.Lo, int64(s.Hi-s.Lo), true)
	}
	words := m.words[s.Lo/8 : s.Hi/8]
	for i := range words {
		words[i] = StackPoison
	}
	a := &m.arena
	a.mu.Lock()
	a.free[class] = append(a.free[class], s.Lo)
	a.mu.Unlock()
}

// InUse returns how many bytes of memory have been given out: data, the heap with
// its chunks, and the stacks that are not free. Any thread may call it.
func (m *Machine) InUse() int64 {
	a := &m.arena
	a.mu.Lock()
	defer a.mu.Unlock()
	n := int64(a.lo) - NilPage + m.Size() - int64(a.hi)
	for class, free := range a.free {
		n -= int64(len(free)) * MinStack << class
	}
	return n
}

// carve takes size bytes for a stack from the middle.
func (a *arena) carve(size uint64) (Addr, bool) {
	if size > uint64(a.hi-a.lo) {
		return 0, false
	}
	a.hi -= Addr(size)
	return a.hi, true
}

// takeFree takes a free stack of a class from min to max, the smallest there
// is. One that is larger than min is halved until it fits, the upper halves
// stay free.
func (a *arena) takeFree(min, max int) (Addr, bool) {
	for class := min; class <= max; class++ {
		n := len(a.free[class])
		if n == 0 {
			continue
		}
		lo := a.free[class][n-1]
		a.free[class] = a.free[class][:n-1]
		for class > min {
			class--
			a.free[class] = append(a.free[class], lo+MinStack<<class)
		}
		return lo, true
	}
	return 0, false
}

// heap takes size bytes for the heap, zeroed; size is a multiple of 8.
func (a *arena) heap(size uint64) (Addr, bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if size <= uint64(a.hi-a.lo) {
		addr := a.lo
		a.lo += Addr(size)
		a.used += size
		return addr, true
	}
	class := 0
	for class < maxStackClass && MinStack<<class < size {
		class++
	}
	addr, ok := a.takeFree(class, maxStackClass)
	if ok {
		a.mem.given(addr, int64(size))
		clear(a.mem.words[addr/8 : addr/8+Addr(size/8)])
		a.used += size
	}
	return addr, ok
}

// Objects of at most maxSmall bytes come from chunks of chunkBytes.
const (
	chunkBytes = 16 << 10
	maxSmall   = 2 << 10
)

// Alloc returns a new object of n bytes, zeroed and aligned to 8; false if
// there is no room. All objects of no bytes share one address. Only the owner
// of t may call it. The runtime's mallocgc; nothing is collected yet.
func (t *Thread) Alloc(n int64) (Addr, bool) {
	if n == 0 {
		return t.m.zeroBase, true
	}
	if n < 0 || n > t.m.Size() {
		return 0, false
	}
	size := Addr(n+7) &^ 7
	if size <= t.limit-t.next {
		addr := t.next
		t.next += size
		return addr, true
	}
	if size > maxSmall {
		return t.m.arena.heap(uint64(size))
	}
	chunk, ok := t.m.arena.heap(chunkBytes)
	if !ok {
		return t.m.arena.heap(uint64(size))
	}
	t.lost += t.limit - t.next
	t.next, t.limit = chunk+size, chunk+chunkBytes
	return chunk, true
}

// HeapBytes returns how many bytes were given to the heap: to objects, and to the
// allocation caches of threads. Any thread may call it.
func (m *Machine) HeapBytes() uint64 {
	m.arena.mu.Lock()
	defer m.arena.mu.Unlock()
	return m.arena.used
}

// Unused returns how many of them t has been given and has not made objects of.
// Only the owner of t may call it, or one who has stopped it.
func (t *Thread) Unused() uint64 { return uint64(t.lost + t.limit - t.next) }
