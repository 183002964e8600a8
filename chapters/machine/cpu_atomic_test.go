package machine

import (
	"runtime"
	"sync"
	"sync/atomic"
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
	countedAt  = NilPage      // by AADD, in both halves
	swappedAt  = NilPage + 8  // by ACAS, in both halves
	added64At  = NilPage + 16 // by AADD
	swapped64  = NilPage + 24 // by ACAS
	lockAt     = NilPage + 32 // taken by ASWAP, given back by AST; in the upper half of the word
	guardedAt  = NilPage + 40 // by LD64 and ST64, under the lock
	bitsAt     = NilPage + 48 // by AOR and AAND: each thread has a bit in both halves
	mistakesAt = NilPage + 56 // bits that were not as their thread had left them
)

// contend is a program that does everything at once turns times, on a thread of
// its own. Its arguments are turns and the thread's bit.
func contend() *Program {
	b := newBuilder()
	b.data(make([]uint64, 8)...)
	const turns, bit = 16 + ArgBase, 17 + ArgBase
	b.fn("main.main", 16, 2)
	b.imm(LDI, 1, 1) // for AADD and ASWAP
	b.imm(LDI, 2, 0)
	b.imm(LDI, 15, mistakesAt)
	b.op(COM, 0, 3, bit, 0)

	b.label("turn")
	for half := range 2 {
		b.imm(LDI, 4, countedAt+4*half)
		b.op(AADD, int(WidthInt32), 5, 4, 1)
	}
	b.imm(LDI, 4, added64At)
	b.op(AADD, int(Width64), 5, 4, 1)

	for _, v := range []struct {
		label string
		at    int
		width Width
	}{{"low", swappedAt, WidthInt32}, {"high", swappedAt + 4, WidthUint32}, {"all", swapped64, Width64}} {
		b.imm(LDI, 4, v.at)
		b.label(v.label)
		b.op(ALD, int(v.width), 6, 4, 0)
		b.op(ADDI, 0, 7, 6, 1)
		b.op(ACAS, int(v.width), 5, 4, 6)
		b.jump(JEQI, 5, 0, v.label)
	}

	b.imm(LDI, 4, lockAt)
	b.jump(JMP, 0, 0, "try")
	b.label("taken")
	b.trap(TrapGosched, 0)
	b.label("try")
	b.op(ASWAP, int(WidthUint32), 5, 4, 1)
	b.jump(JEQI, 5, 1, "taken")
	b.imm(LDI, 6, guardedAt)
	b.op(LD64, 0, 5, 6, 0)
	b.op(ADDI, 0, 5, 5, 1)
	b.op(ST64, 0, 6, 5, 0)
	b.op(AST, int(WidthUint32), 4, 2, 0)

	for half := range 2 {
		b.imm(LDI, 4, bitsAt+4*half)
		b.op(AOR, int(WidthUint32), 5, 4, bit)
		b.op(AND, 0, 5, 5, bit) // it was clear
		b.op(AAND, int(WidthUint32), 6, 4, 3)
		b.op(AND, 0, 6, 6, bit)
		b.op(XOR, 0, 6, 6, bit) // it was set
		b.op(OR, 0, 5, 5, 6)
		b.op(AOR, int(Width64), 5, 15, 5)
	}
	b.op(ADDI, 0, turns, turns, 0xffff)
	b.jump(JGTI, turns, 0, "turn")
	b.ret()
	return b.program()
}

// Threads that do all atomic operations on the same words lose none.
func TestAtomicsOfManyThreads(t *testing.T) {
	needThreads(t)
	const threads, turns = 4, 5000
	m := newMachine(t, contend())
	var group sync.WaitGroup
	for k := range threads {
		c, _ := start(t, m, 4096, turns, 1<<(31-k))
		group.Go(func() {
			th := m.NewThread()
			var pending atomic.Uint32
			for {
				switch trap := th.Run(c, &pending); trap {
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
	assert.Equal(t, []uint64{both, both, all, all, 0, all, 0, 0}, m.words[memAt>>3:memAt>>3+8])
}
