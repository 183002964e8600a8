package machine

import (
	"cmp"
	"math/bits"
	"slices"
	"sync"
)

// Memory is given out from both ends: to the heap upward, in pages; to stacks
// downward. What is between them has never been used and so is zero. Freed stacks
// are kept by size and serve again as stacks; freed pages of the heap are kept in
// the order of their addresses. When the two ends have met, either serves as the other.
type arena struct {
	mu   sync.Mutex
	mem  *Memory
	lo   Addr // end of the heap
	hi   Addr // begin of the lowest stack
	free [maxStackClass + 1][]Addr
	runs []pageRun // free pages below lo, with no two runs side by side
	heap heap
}

// A pageRun is n free pages from address at on.
type pageRun struct {
	at Addr
	n  int
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
		lo, ok = a.takeRun(int(size / pageBytes))
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
	n := int64(a.lo) - NilPage + m.stacks()
	for _, r := range a.runs {
		n -= int64(r.n) * pageBytes
	}
	return n
}

// StackBytes returns how many bytes the stacks have that are not free. Any thread may call it.
func (m *Machine) StackBytes() int64 {
	m.arena.mu.Lock()
	defer m.arena.mu.Unlock()
	return m.stacks()
}

// stacks is StackBytes with the lock held.
func (m *Machine) stacks() int64 {
	n := m.Size() - int64(m.arena.hi)
	for class, free := range m.arena.free {
		n -= int64(len(free)) * MinStack << class
	}
	return n
}

// takePages takes n pages for the heap. dirty says that they may not be zero. It
// prefers what has been used before, so that a heap that is collected stays where it is.
func (a *arena) takePages(n int) (at Addr, dirty, ok bool) {
	if at, ok := a.takeRun(n); ok {
		return at, true, true
	}
	size := uint64(n) * pageBytes
	if size <= uint64(a.hi-a.lo) {
		at := a.lo
		a.lo += Addr(size)
		return at, false, true
	}
	class := 0
	for class < maxStackClass && MinStack<<class < size {
		class++
	}
	if at, ok = a.takeFree(class, maxStackClass); !ok {
		return 0, false, false
	}
	a.mem.given(at, int64(size))
	if rest := int(MinStack<<class/pageBytes) - n; rest > 0 {
		a.freePages(at+Addr(size), rest)
	}
	return at, true, true
}

// takeRun takes n pages of the first run that has so many.
func (a *arena) takeRun(n int) (Addr, bool) {
	for i := range a.runs {
		r := &a.runs[i]
		if r.n < n {
			continue
		}
		at := r.at
		r.at, r.n = r.at+Addr(n)*pageBytes, r.n-n
		if r.n == 0 {
			a.runs = slices.Delete(a.runs, i, i+1)
		}
		return at, true
	}
	return 0, false
}

// freePages adds n pages to the runs.
func (a *arena) freePages(at Addr, n int) {
	i, _ := slices.BinarySearchFunc(a.runs, at, func(r pageRun, at Addr) int { return cmp.Compare(r.at, at) })
	end := func(r pageRun) Addr { return r.at + Addr(r.n)*pageBytes }
	before := i > 0 && end(a.runs[i-1]) == at
	after := i < len(a.runs) && a.runs[i].at == at+Addr(n)*pageBytes
	switch {
	case before && after:
		a.runs[i-1].n += n + a.runs[i].n
		a.runs = slices.Delete(a.runs, i, i+1)
	case before:
		a.runs[i-1].n += n
	case after:
		a.runs[i] = pageRun{at, n + a.runs[i].n}
	default:
		a.runs = slices.Insert(a.runs, i, pageRun{at, n})
	}
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
