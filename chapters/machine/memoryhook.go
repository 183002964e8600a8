package machine

import (
	"sync/atomic"
	"unsafe"
)

// A MemoryHook is a Hook that also sees what Go code does to the memory of a
// machine: the methods of Memory, but for Bytes, and what gives stacks and objects
// out and takes them back. What the CPU does in Run is not seen.
type MemoryHook interface {
	Hook
	// Memory comes before the n bytes at addr are read or written.
	Memory(m *Memory, addr Addr, n int64, write bool)
	// Given comes when the n bytes at addr are given out: what was done to them
	// before is over.
	Given(m *Memory, addr Addr, n int64)
	// Word returns the id of the word that addr is in. Access and Done with that
	// id are for an atomic operation there.
	Word(m *Memory, addr Addr) ID
}

// memory is hook, if it is a MemoryHook.
var memory MemoryHook

// access tells memory, which is there.
//
//go:noinline
func (m *Memory) access(addr Addr, n int64, write bool) {
	if n > 0 {
		memory.Memory(m, addr, n, write)
	}
}

// given tells the hook, if it is a MemoryHook.
func (m *Memory) given(addr Addr, n int64) {
	if watched && memory != nil && n > 0 {
		memory.Given(m, addr, n)
	}
}

// NewID returns an ID for what a Hook itself gives one.
func NewID() ID {
	lastID++
	return lastID
}

// The atomic operations of the scheduler on words of the program: the counts of
// semaphores. Each address is a multiple of 4.

// LoadUint32 returns the value at addr.
func (m *Memory) LoadUint32(addr Addr) uint32 {
	p := m.uint32(addr)
	if watched && memory != nil {
		return hookLoad(m.tagOf(addr), p)
	}
	return atomic.LoadUint32(p)
}

// CompareAndSwapUint32 sets the value at addr to new if it is old, and reports
// whether it did.
func (m *Memory) CompareAndSwapUint32(addr Addr, old, new uint32) (swapped bool) {
	p := m.uint32(addr)
	if watched && memory != nil {
		return hookCompareAndSwap(m.tagOf(addr), p, old, new)
	}
	return atomic.CompareAndSwapUint32(p, old, new)
}

// AddUint32 adds delta to the value at addr and returns the sum.
func (m *Memory) AddUint32(addr Addr, delta uint32) (new uint32) {
	p := m.uint32(addr)
	if watched && memory != nil {
		return hookAdd(m.tagOf(addr), p, delta)
	}
	return atomic.AddUint32(p, delta)
}

func (m *Memory) uint32(addr Addr) *uint32 {
	return (*uint32)(unsafe.Pointer(unsafe.SliceData(m.Bytes(addr, 4))))
}

// tagOf is the identity of the word that addr is in.
func (m *Memory) tagOf(addr Addr) *tag { return tagOf(memory.Word(m, addr)) }
