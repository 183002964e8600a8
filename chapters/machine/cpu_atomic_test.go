package machine

import (
	"fmt"
	"runtime"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
)

// The words of memory are two variables of 32 bits each, too: of the word at
// memAt these, each as an int32 and as a uint32.
const (
	lowAt, lowHalf   = memAt, uint64(0x44332211)
	highAt, highHalf = memAt + 4, uint64(0x88776655)
	highSigned       = uint64(0xffffffff88776655)
	junk             = uint64(0x12345678) << 32 // in the upper half of a slot
)

// atomicOp is an operation on the variable at addr with an operand, the result,
// and what is then in the word at memAt.
func atomicOp(op Op, w Width, addr, operand, want, word uint64) opCase {
	return opCase{
		i: Enc(op, uint8(w), 0, 1, 2), in: slots{0: 99, 1: addr, 2: operand},
		out: slots{0: want, atMem: word},
	}
}

func compareAndSwap(w Width, addr, old, new, want, word uint64) opCase {
	c := atomicOp(ACAS, w, addr, old, want, word)
	c.in[3] = new
	return c
}

func atomicLoad(w Width, off int, want uint64) opCase {
	return opCase{i: Enc(ALD, uint8(w), 0, 1, uint16(off)), in: slots{1: memAt}, out: slots{0: want}}
}

func atomicStore(w Width, off int, v, word uint64) opCase {
	return opCase{i: Enc(AST, uint8(w), 1, 2, uint16(off)), in: slots{1: memAt, 2: v}, out: slots{atMem: word}}
}

func halves(high, low uint64) uint64 { return high<<32 | low }

func atomicCases() []opCase {
	cases := []opCase{
		atomicLoad(Width64, 0, dataAt0), atomicLoad(Width64, 8, dataAt8),
		atomicLoad(WidthInt32, 0, lowHalf), atomicLoad(WidthInt32, 4, highSigned),
		atomicLoad(WidthUint32, 0, lowHalf), atomicLoad(WidthUint32, 4, highHalf),

		atomicStore(Width64, 0, 5, 5),
		atomicStore(WidthInt32, 0, junk|7, halves(highHalf, 7)),
		atomicStore(WidthInt32, 4, neg(1), halves(1<<32-1, lowHalf)),
		atomicStore(WidthUint32, 4, junk|7, halves(7, lowHalf)),

		atomicOp(ASWAP, Width64, memAt, 5, dataAt0, 5),
		atomicOp(ASWAP, WidthInt32, lowAt, junk|7, lowHalf, halves(highHalf, 7)),
		atomicOp(ASWAP, WidthInt32, highAt, neg(1), highSigned, halves(1<<32-1, lowHalf)),
		atomicOp(ASWAP, WidthUint32, highAt, junk|7, highHalf, halves(7, lowHalf)),

		compareAndSwap(Width64, memAt, dataAt0, 5, 1, 5),
		compareAndSwap(Width64, memAt, dataAt0^1<<63, 5, 0, dataAt0),
		compareAndSwap(WidthInt32, lowAt, junk|lowHalf, junk|7, 1, halves(highHalf, 7)),
		compareAndSwap(WidthInt32, lowAt, lowHalf+1, 7, 0, dataAt0),
		compareAndSwap(WidthInt32, highAt, highSigned, neg(1), 1, halves(1<<32-1, lowHalf)),
		compareAndSwap(WidthUint32, highAt, highHalf, 7, 1, halves(7, lowHalf)),
		compareAndSwap(WidthUint32, highAt, lowHalf, 7, 0, dataAt0),

		// What is carried out of a half is lost.
		atomicOp(AADD, Width64, memAt, 1<<63, dataAt0^1<<63, dataAt0^1<<63),
		atomicOp(AADD, WidthInt32, lowAt, junk|(1<<32-lowHalf), 0, halves(highHalf, 0)),
		atomicOp(AADD, WidthInt32, lowAt, 1<<30, 0xffffffff84332211, halves(highHalf, 0x84332211)),
		atomicOp(AADD, WidthInt32, highAt, neg(1), highSigned-1, halves(highHalf-1, lowHalf)),
		atomicOp(AADD, WidthUint32, highAt, neg(1), highHalf-1, halves(highHalf-1, lowHalf)),

		atomicOp(AAND, Width64, memAt, 0xff, dataAt0, 0x11),
		atomicOp(AAND, WidthInt32, lowAt, 0xff, lowHalf, halves(highHalf, 0x11)),
		atomicOp(AAND, WidthInt32, highAt, 0xff, highSigned, halves(0x55, lowHalf)),
		atomicOp(AAND, WidthUint32, highAt, 0xff, highHalf, halves(0x55, lowHalf)),

		atomicOp(AOR, Width64, memAt, 1<<62, dataAt0, dataAt0|1<<62),
		atomicOp(AOR, WidthInt32, lowAt, junk|0xff, lowHalf, halves(highHalf, 0x443322ff)),
		atomicOp(AOR, WidthInt32, highAt, 0xff, highSigned, halves(0x887766ff, lowHalf)),
		atomicOp(AOR, WidthUint32, highAt, 0xff, highHalf, halves(0x887766ff, lowHalf)),

		// The result may go where the address or the operand is.
		{i: Enc(ALD, 0, 1, 1, 0), in: slots{1: memAt}, out: slots{1: dataAt0}},
		{i: Enc(ASWAP, 0, 1, 1, 2), in: slots{1: memAt, 2: 5}, out: slots{1: dataAt0, atMem: 5}},
		{i: Enc(AADD, 0, 2, 1, 2), in: slots{1: memAt, 2: 1}, out: slots{2: dataAt0 + 1, atMem: dataAt0 + 1}},
		{i: Enc(ACAS, 0, 3, 1, 2), in: slots{1: memAt, 2: dataAt0, 3: 5}, out: slots{3: 1, atMem: 5}},
	}
	for op := ASWAP; op <= AOR; op++ {
		for _, at := range []uint64{0, NilPage - 8, memAt + 4, memAt + 1, size, size - 4, 1 << 40, neg(8)} {
			cases = append(cases, faults(Enc(op, uint8(Width64), 0, 1, 2), slots{1: at}, at))
		}
		for _, w := range []Width{WidthInt32, WidthUint32} {
			for _, at := range []uint64{0, NilPage - 4, memAt + 2, memAt + 1, size, size - 2, 1 << 40, neg(4)} {
				cases = append(cases, faults(Enc(op, uint8(w), 0, 1, 2), slots{1: at}, at))
			}
		}
	}
	for _, w := range []Width{WidthInt32, WidthUint32} {
		cases = append(cases,
			faults(Enc(ALD, uint8(w), 0, 1, 2), slots{1: memAt}, memAt+2),
			faults(Enc(AST, uint8(w), 1, 0, 2), slots{1: memAt}, memAt+2))
	}
	return append(cases,
		faults(Enc(ALD, uint8(Width64), 0, 1, 4), slots{1: memAt}, memAt+4),
		faults(Enc(AST, uint8(Width64), 1, 0, 4), slots{1: memAt}, memAt+4))
}

// The words that the threads of the next test share.
const (
	countedAt  = NilPage + 8*iota // by AADD, in both halves
	counted64  = NilPage + 8*iota // by AADD
	swappedAt  = NilPage + 8*iota // by ACAS, in both halves
	swapped64  = NilPage + 8*iota // by ACAS
	lockAt     = NilPage + 8*iota // taken by ASWAP, given back by AST, in both halves
	guardedAt  = NilPage + 8*iota // by LD32U and ST32, under the lock, in both halves
	lock64     = NilPage + 8*iota // the same
	guarded64  = NilPage + 8*iota // by LD64 and ST64
	flagsAt    = NilPage + 8*iota // by AOR and AAND, in both halves: each thread has a bit there
	flags64    = NilPage + 8*iota
	mistakesAt = NilPage + 8*iota // bits that were not as their thread had left them
	readyAt    = NilPage + 8*iota // how many threads have come to the end of a loop
)

// contend is a program whose loops do one thing each turns times, on one
// variable. All threads begin a loop together. The arguments are turns and the
// thread's bit.
func contend(threads int) *Program {
	b := newBuilder()
	b.data(make([]uint64, 12)...)
	const turns, bit = 16 + ArgBase, 17 + ArgBase
	b.fn("main.main", 16, 2)
	b.imm(LDI, 1, 1)
	b.imm(LDI, 2, 0)
	b.op(COM, 0, 3, bit, 0)
	b.imm(LDI, 14, mistakesAt)
	b.imm(LDI, 15, readyAt)

	loops := 0
	label := func(name string) string { return fmt.Sprint(name, loops) }
	loop := func(at int, body func(at int)) {
		loops++
		b.imm(LDI, 4, at)
		b.op(MOV, 0, 13, turns, 0)
		b.label(label("turn"))
		body(at)
		b.op(ADDI, 0, 13, 13, 0xffff)
		b.jump(JGTI, 13, 0, label("turn"))

		b.op(AADD, int(Width64), 5, 15, 1)
		b.jump(JMP, 0, 0, label("ready"))
		b.label(label("wait"))
		b.trap(TrapGosched, 0)
		b.label(label("ready"))
		b.op(ALD, int(Width64), 5, 15, 0)
		b.jump(JLTI, 5, threads*loops, label("wait"))
	}
	variables := func(halves, whole int, body func(w, at int)) {
		loop(halves, func(at int) { body(int(WidthInt32), at) })
		loop(halves+4, func(at int) { body(int(WidthUint32), at) })
		loop(whole, func(at int) { body(int(Width64), at) })
	}

	loop(readyAt, func(int) {}) // all are there
	variables(countedAt, counted64, func(w, at int) { b.op(AADD, w, 5, 4, 1) })
	variables(swappedAt, swapped64, func(w, at int) {
		b.label(label("again"))
		b.op(ALD, w, 6, 4, 0)
		b.op(ADDI, 0, 7, 6, 1)
		b.op(ACAS, w, 5, 4, 6)
		b.jump(JEQI, 5, 0, label("again"))
	})
	variables(lockAt, lock64, func(w, at int) {
		load, store := LD32U, ST32
		if Width(w) == Width64 {
			load, store = LD64, ST64
		}
		b.imm(LDI, 6, at+guardedAt-lockAt)
		b.jump(JMP, 0, 0, label("try"))
		b.label(label("taken"))
		b.trap(TrapGosched, 0)
		b.label(label("try"))
		b.op(ASWAP, w, 5, 4, 1)
		b.jump(JEQI, 5, 1, label("taken"))
		b.op(load, 0, 5, 6, 0)
		b.op(ADDI, 0, 5, 5, 1)
		b.op(store, 0, 6, 5, 0)
		b.op(AST, w, 4, 2, 0)
	})
	variables(flagsAt, flags64, func(w, at int) {
		b.op(AOR, w, 5, 4, bit)
		b.op(AND, 0, 5, 5, bit) // it was clear
		b.op(AAND, w, 6, 4, 3)
		b.op(AND, 0, 6, 6, bit)
		b.op(XOR, 0, 6, 6, bit) // it was set
		b.op(OR, 0, 5, 5, 6)
		b.jump(JEQI, 5, 0, label("right"))
		b.op(AOR, int(Width64), 5, 14, 5)
		b.label(label("right"))
	})
	b.ret()
	return b.program()
}

// Threads that do all atomic operations on the same words lose none.
func TestAtomicsOfManyThreads(t *testing.T) {
	needThreads(t)
	const threads, turns = 4, 200_000
	m := newMachine(t, contend(threads))
	var group sync.WaitGroup
	for k := range threads {
		c, _ := start(t, m, 4096, turns, 1<<(8*k))
		group.Go(func() {
			th := m.NewThread()
			for left := int64(1 << 28); ; {
				var trap Trap
				switch left, trap = th.RunN(c, left); trap {
				case TrapGoexit:
					return
				case TrapGosched:
					runtime.Gosched()
				default:
					t.Errorf("%v at %d", trap, c.PC)
					return
				}
			}
		})
	}
	group.Wait()
	const all = threads * turns
	both := halves(all, all)
	want := []uint64{both, all, both, all, 0, both, 0, all, 0, 0, 0}
	assert.Equal(t, want, m.words[NilPage/8:][:len(want)])
}
