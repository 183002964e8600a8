package machine

import (
	"fmt"
	"unsafe"
)

// The size of a machine's memory in bytes: by default, at least, at most.
const (
	DefaultMemBytes = 64 << 20
	MinMemBytes     = 64 << 10
	MaxMemBytes     = 16 << 30
)

// frameView is what the CPU sees of memory through a stack pointer: as many
// slots as the 16 bits of an operand can name. Indexing it by a uint16 needs no
// bounds check.
type frameView = [1 << 16]uint64

// memPadding is the number of words beyond the end of memory, so that the view
// of a frame at the very end, and a block of arguments at the end of that,
// still lie within the words.
const memPadding = 1<<16 + 1<<10

// A Memory is flat memory, addressed by bytes. The lowest NilPage bytes fault,
// as does everything from Size on.
//
// It is one Go slice of words, not mapped from the operating system, so that
// the race detector watches it. Go clears the pages of a large slice lazily,
// so memory that is not used costs next to nothing. Narrow loads and stores
// touch only their own bytes, because another thread may write the
// neighbouring ones. The order of bytes is the host's, which must be little
// endian; New checks it.
//
// A program that leaves memory gets a TrapFault. The methods are for Go code,
// which asks Valid before it follows an address that comes from the program;
// beyond memory they panic. Nothing here synchronises threads: they must not
// write the same bytes at the same time, as in Go.
type Memory struct {
	words []uint64 // size/8 words and the padding
	size  uint64   // a multiple of NilPage
	span  uint64   // size - NilPage

	// marking is set while a collection marks, between two points at which the world
	// stands still. All who store addresses ask for it, so it is no atomic variable.
	marking bool
}

// newMemory makes memory of n bytes, rounded up to whole pages.
func newMemory(n int64) (Memory, error) {
	if n == 0 {
		n = DefaultMemBytes
	}
	if n < MinMemBytes || n > MaxMemBytes {
		return Memory{}, fmt.Errorf("memory of %d bytes: choose between %d (64 KiB) and %d (16 GiB)", n, MinMemBytes, int64(MaxMemBytes))
	}
	size := (uint64(n) + NilPage - 1) &^ (NilPage - 1)
	return Memory{words: newWords(size / 8), size: size, span: size - NilPage}, nil
}

// spareWords is the memory of the machines of explorations.
var spareWords Spare[[]uint64]

// newWords returns n words that are zero, and the padding beyond them. That may hold what an
// earlier execution has left there: nothing that a frame or an object has is in it.
func newWords(n uint64) []uint64 {
	if !Explored() {
		return make([]uint64, n+memPadding)
	}
	at := spareWords.used()
	if uint64(len(*at)) == n+memPadding {
		clear((*at)[:n])
	} else {
		*at = make([]uint64, n+memPadding)
	}
	return *at
}

// littleEndian reports the host's order of bytes.
func littleEndian() bool {
	one := uint16(1)
	return *(*byte)(unsafe.Pointer(&one)) == 1
}

// Size returns the number of bytes: addresses are below it.
func (m *Memory) Size() int64 { return int64(m.size) }

// Valid reports whether the n bytes at addr may be read and written. No bytes
// are valid anywhere.
func (m *Memory) Valid(addr Addr, n int64) bool {
	return n == 0 || n > 0 && uint64(addr) >= NilPage && uint64(addr) <= m.size && uint64(n) <= m.size-uint64(addr)
}

// Word returns the 8-byte word at addr, a multiple of 8.
func (m *Memory) Word(addr Addr) uint64 {
	if watched && memory != nil {
		m.access(addr, 8, false)
	}
	return m.words[addr>>3]
}

// SetWord stores the 8-byte word at addr, a multiple of 8.
func (m *Memory) SetWord(addr Addr, v uint64) {
	if watched && memory != nil {
		m.access(addr, 8, true)
	}
	m.words[addr>>3] = v
}

// Copy copies the n bytes at src to dst. The two may overlap.
func (m *Memory) Copy(dst, src Addr, n int64) {
	if watched && memory != nil {
		m.access(src, n, false)
		m.access(dst, n, true)
	}
	if n == 8 && (dst|src)%8 == 0 && min(dst, src) >= NilPage && max(dst, src) < Addr(m.size) {
		m.words[dst>>3] = m.words[src>>3]
		return
	}
	copy(m.Bytes(dst, n), m.Bytes(src, n))
}

// Clear makes the n bytes at addr zero.
func (m *Memory) Clear(addr Addr, n int64) {
	if watched && memory != nil {
		m.access(addr, n, true)
	}
	clear(m.Bytes(addr, n))
}

// Bytes returns the n bytes at addr: not a copy but the memory itself. What is done
// to them no Hook sees.
func (m *Memory) Bytes(addr Addr, n int64) []byte {
	if n == 0 {
		return nil
	}
	if !m.Valid(addr, n) {
		panic(fmt.Sprintf("machine: no memory at [%#x, +%d)", uint64(addr), n))
	}
	return unsafe.Slice((*byte)(unsafe.Add(unsafe.Pointer(unsafe.SliceData(m.words)), uint64(addr))), n)
}

// String returns a copy of the n bytes at addr.
func (m *Memory) String(addr Addr, n int64) string {
	if watched && memory != nil {
		m.access(addr, n, false)
	}
	return string(m.Bytes(addr, n))
}
