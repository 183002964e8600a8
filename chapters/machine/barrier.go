package machine

import (
	"encoding/binary"
	"math/bits"
	"sync/atomic"
)

// The write barrier. Between GCStart and GCSweep, whatever stores the address of an object, or
// overwrites one, anywhere but in the frame of the goroutine itself, comes here first and
// shades both; see gc.go for the reason. So do
//
//   - STP, and atomic operations on a WidthPointer: the compiler knows that they
//     store an address;
//   - STB, COPY, CLR and the host functions: the object that they write to knows where its
//     addresses are;
//   - the runtime, when it moves a value of a type: the type knows.
//
// Shading an address that is in no object does nothing, so nobody asks what is there.

// barrier comes before v is stored at addr. The runtime's gcWriteBarrier.
func (m *Machine) barrier(addr Addr, v uint64) {
	m.GCShade(Addr(m.peek(addr)))
	m.GCShade(Addr(v))
}

// bulkBarrier comes before the n bytes at src are copied to dst, or, if src is 0, before those at
// dst are cleared. A stack needs none: whoever writes there, other than the runtime, is the
// goroutine itself.
func (m *Machine) bulkBarrier(dst, src Addr, n int64) {
	shade := func(at Addr) {
		m.GCShade(Addr(m.peek(at)))
		if src != 0 {
			m.GCShade(Addr(m.peek(at - dst + src)))
		}
	}
	from, end := (dst+7)&^7, (dst+Addr(n))&^7
	if s, i, ok := m.arena.heap.find(dst); ok {
		if !s.noscan {
			m.pointers(s.kinds[i], s.object(i), from, end, shade)
		}
		return
	}
	for at := from; at < end; at += 8 {
		word := int(at-NilPage) / 8
		if word>>6 >= len(m.Program.Pointers) {
			return
		}
		if m.Program.Pointers[word>>6]>>(word&63)&1 != 0 {
			shade(at)
		}
	}
}

// BulkBarrierPreWrite is the write barrier for a value of type t that is about to be copied
// from src to dst, or, if src is 0, to be cleared at dst; either may be in any stack. Any thread may
// call it that the world would wait for. The runtime's function of that name.
func (m *Machine) BulkBarrierPreWrite(t *Type, dst, src Addr) {
	if m.marking && t.Layout != 0 {
		m.typedBarrier(t, dst, src)
	}
}

// typedBarrier is BulkBarrierPreWrite while a collection marks.
func (m *Machine) typedBarrier(t *Type, dst, src Addr) {
	for i, word := range m.Program.Layouts[t.Layout].Pointers {
		for ; word != 0; word &= word - 1 {
			off := 8 * Addr(64*i+bits.TrailingZeros64(word))
			m.GCShade(Addr(m.peek(dst + off)))
			if src != 0 {
				m.GCShade(Addr(m.peek(src + off)))
			}
		}
	}
}

// store executes i, which stores an address, while a collection marks.
func (m *Machine) store(c *Context, r *frameView, i Instr) Trap {
	addr, v := Addr(r[i.A()])+Addr(i.C()), r[i.B()]
	switch i.Op() {
	case ASWAP:
		addr, v = Addr(r[i.B()]), r[i.C()]
	case ACAS:
		addr, v = Addr(r[i.B()]), r[i.C()+1]
	}
	if !m.Valid(addr, 8) || i.Op() != STP && addr%8 != 0 {
		return c.setFault(addr)
	}
	m.barrier(addr, v)
	switch at := &m.words[addr>>3]; i.Op() {
	case STP:
		binary.LittleEndian.PutUint64(m.Bytes(addr, 8), v) // it may lie across two words
	case AST:
		atomic.StoreUint64(at, v)
	case ASWAP:
		r[i.A()] = atomic.SwapUint64(at, v)
	case ACAS:
		r[i.A()] = bit(atomic.CompareAndSwapUint64(at, r[i.C()], v))
	}
	return TrapNone
}
