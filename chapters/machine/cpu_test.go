package machine

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// slots are the values of some slots by number.
type slots map[int]uint64

// An opCase is an instruction, the slots before and the slots that it changes.
// After it the program traps with TrapGosched unless another trap is expected;
// if jumps is set, it jumps over two instructions.
type opCase struct {
	i     Instr
	in    slots
	out   slots
	trap  Trap
	panic PanicCode
	x, y  int64
	fault Addr
	jumps bool
}

const (
	minInt  = uint64(1) << 63
	allOnes = math.MaxUint64
	memAt   = uint64(NilPage) // where opCases find and leave data
	dataAt0 = uint64(0x8877665544332211)
	dataAt8 = uint64(0xffeeddccbbaa9988)
)

func neg(n int64) uint64      { return uint64(-n) }
func d(f float64) uint64      { return math.Float64bits(f) }
func s(f float32) uint64      { return uint64(math.Float32bits(f)) }
func yes(i Instr) opCase      { return opCase{i: i, jumps: true} }
func abc(op Op) Instr         { return Enc(op, 0, 0, 1, 2) }
func abcx(op Op, x int) Instr { return Enc(op, uint8(x), 0, 1, 2) }

func arith(op Op, b, c, want uint64) opCase {
	return opCase{i: abc(op), in: slots{1: b, 2: c}, out: slots{0: want}}
}

func float(op Op, x int, b, c, want uint64) opCase {
	return opCase{i: abcx(op, x), in: slots{1: b, 2: c}, out: slots{0: want}}
}

func conv(op Op, x int, b, want uint64) opCase {
	return opCase{i: Enc(op, uint8(x), 0, 1, 0), in: slots{1: b}, out: slots{0: want}}
}

func branch(op Op, a, b uint64, jumps bool) opCase {
	return opCase{i: Enc(op, 0, 0, 1, 2), in: slots{0: a, 1: b}, jumps: jumps}
}

func branchI(op Op, a uint64, b int16, jumps bool) opCase {
	return opCase{i: Enc(op, 0, 0, uint16(b), 2), in: slots{0: a}, jumps: jumps}
}

func load(op Op, off int, want uint64) opCase {
	return opCase{i: Enc(op, 0, 0, 1, uint16(off)), in: slots{1: memAt}, out: slots{0: want}}
}

func faults(i Instr, in slots, at uint64) opCase {
	return opCase{i: i, in: in, trap: TrapFault, fault: Addr(at)}
}

func panics(i Instr, in slots, code PanicCode, x, y int64) opCase {
	return opCase{i: i, in: in, trap: TrapPanic, panic: code, x: x, y: y}
}

// sliceOf is a slice expression with the block of operands in slot 1 and the
// result in slot 8.
func sliceOf(flags int, ops [7]uint64) (Instr, slots) {
	in := slots{}
	for k, v := range ops {
		in[1+k] = v
	}
	return Enc(SLICE, uint8(flags), 8, 0, 1), in
}

func sliced(flags int, ops [7]uint64, want ...uint64) opCase {
	i, in := sliceOf(flags, ops)
	out := slots{}
	for k, v := range want {
		out[8+k] = v
	}
	return opCase{i: i, in: in, out: out}
}

func slicePanics(flags int, ops [7]uint64, code PanicCode, x, y int64) opCase {
	i, in := sliceOf(flags, ops)
	return panics(i, in, code, x, y)
}

// size is that of the memory in which opCases run.
const size = uint64(1 << 20)

func opCases() []opCase {
	return []opCase{
		{i: Enc(NOP, 0, 0, 0, 0)},

		{i: Enc(MOV, 0, 3, 4, 0), in: slots{4: 7}, out: slots{3: 7}},
		{i: Enc(MOVN, 3, 0, 4, 0), in: slots{4: 7, 5: 8, 6: 9}, out: slots{0: 7, 1: 8, 2: 9}},
		{i: Enc(MOVN, 3, 0, 1, 0), in: slots{1: 7, 2: 8, 3: 9}, out: slots{0: 7, 1: 8, 2: 9}},
		{i: Enc(MOVN, 3, 1, 0, 0), in: slots{0: 7, 1: 8, 2: 9}, out: slots{1: 7, 2: 8, 3: 9}},
		{i: Enc(MOVN, 0, 1, 0, 0)},
		{i: Enc(MOVN, 2, 0xffff, 0, 0), trap: TrapBadInstr},
		{i: Enc(MOVN, 2, 0, 0xffff, 0), trap: TrapBadInstr},
		{i: EncImm(LDI, 0, 0, -5), out: slots{0: neg(5)}},
		{i: EncImm(LDK, 0, 0, 1), out: slots{0: 0x1234567890abcdef}},
		{i: EncImm(ZERO, 0, 1, 3), in: slots{0: 1, 1: 1, 2: 1, 3: 1, 4: 1}, out: slots{1: 0, 2: 0, 3: 0}},
		{i: EncImm(ZERO, 0, 0xffff, 2), trap: TrapBadInstr},
		{i: EncImm(ZERO, 0, 0, -1), trap: TrapBadInstr},
		{i: EncImm(LEA, 0, 0, 3), out: slots{0: size - 8*33 + 24}},
		{i: EncImm(CTXT, 0, 0, 0), out: slots{0: 0x5000}},

		arith(ADD, allOnes, 2, 1),
		arith(SUB, 1, 2, allOnes),
		arith(MUL, neg(3), 5, neg(15)),
		arith(DIV, neg(7), 2, neg(3)),
		arith(DIV, minInt, neg(1), minInt),
		arith(DIVU, minInt, neg(1), 0),
		arith(DIVU, allOnes, 2, math.MaxInt64),
		arith(REM, neg(7), 2, neg(1)),
		arith(REM, minInt, neg(1), 0),
		arith(REMU, minInt, neg(1), minInt),
		arith(REMU, 7, 4, 3),
		panics(abc(DIV), slots{1: 5}, PanicDivide, 0, 0),
		panics(abc(DIVU), slots{1: 5}, PanicDivide, 0, 0),
		panics(abc(REM), slots{1: 5}, PanicDivide, 0, 0),
		panics(abc(REMU), slots{1: 5}, PanicDivide, 0, 0),
		arith(AND, 12, 10, 8),
		arith(OR, 12, 10, 14),
		arith(XOR, 12, 10, 6),
		arith(ANDN, 12, 10, 4),
		arith(SHL, 1, 63, minInt),
		arith(SHL, 1, 64, 0),
		arith(SHL, 1, allOnes, 0),
		arith(SHR, allOnes, 63, 1),
		arith(SHR, allOnes, 64, 0),
		arith(SAR, neg(8), 1, neg(4)),
		arith(SAR, neg(8), 64, allOnes),
		arith(SAR, 8, 64, 0),
		{i: Enc(ADDI, 0, 0, 1, 0xfffe), in: slots{1: 1}, out: slots{0: allOnes}},
		conv(NEG, 0, 5, neg(5)),
		conv(COM, 0, 5, ^uint64(5)),
		conv(NOT, 0, 0, 1),
		conv(NOT, 0, 1, 0),
		conv(EXT, int(ExtI8), 0x1280, neg(128)),
		conv(EXT, int(ExtI16), 0x18000, neg(1<<15)),
		conv(EXT, int(ExtI32), 0x180000000, neg(1<<31)),
		conv(EXT, int(ExtU8), 0x1280, 0x80),
		conv(EXT, int(ExtU16), 0x18000, 0x8000),
		conv(EXT, int(ExtU32), 0x180000000, 0x80000000),
		{i: Enc(EXT, 6, 0, 1, 0), trap: TrapBadInstr},
		{i: Enc(SHCK, 0, 0, 0, 0), in: slots{0: 70}},
		panics(Enc(SHCK, 0, 0, 0, 0), slots{0: neg(1)}, PanicShift, -1, 0),

		arith(EQ, 3, 3, 1), arith(EQ, 3, 4, 0),
		arith(NE, 3, 3, 0), arith(NE, 3, 4, 1),
		arith(LT, neg(1), 0, 1), arith(LT, 0, neg(1), 0), arith(LT, 1, 1, 0),
		arith(LE, neg(1), 0, 1), arith(LE, 0, neg(1), 0), arith(LE, 1, 1, 1),
		arith(LTU, neg(1), 0, 0), arith(LTU, 0, neg(1), 1), arith(LTU, 1, 1, 0),
		arith(LEU, neg(1), 0, 0), arith(LEU, 0, neg(1), 1), arith(LEU, 1, 1, 1),

		yes(EncImm(JMP, 0, 0, 2)),
		{i: EncImm(JZ, 0, 0, 2), in: slots{0: 0}, jumps: true},
		{i: EncImm(JZ, 0, 0, 2), in: slots{0: 1}},
		{i: EncImm(JNZ, 0, 0, 2), in: slots{0: 1}, jumps: true},
		{i: EncImm(JNZ, 0, 0, 2), in: slots{0: 0}},
		branch(JEQ, 3, 3, true), branch(JEQ, 3, 4, false),
		branch(JNE, 3, 3, false), branch(JNE, 3, 4, true),
		branch(JLT, neg(1), 0, true), branch(JLT, 0, neg(1), false), branch(JLT, 1, 1, false),
		branch(JLE, neg(1), 0, true), branch(JLE, 0, neg(1), false), branch(JLE, 1, 1, true),
		branch(JLTU, neg(1), 0, false), branch(JLTU, 0, neg(1), true), branch(JLTU, 1, 1, false),
		branch(JLEU, neg(1), 0, false), branch(JLEU, 0, neg(1), true), branch(JLEU, 1, 1, true),
		branchI(JEQI, neg(3), -3, true), branchI(JEQI, 3, -3, false),
		branchI(JNEI, neg(3), -3, false), branchI(JNEI, 3, -3, true),
		branchI(JLTI, neg(4), -3, true), branchI(JLTI, neg(3), -3, false),
		branchI(JLEI, neg(3), -3, true), branchI(JLEI, neg(2), -3, false),
		branchI(JGTI, neg(2), -3, true), branchI(JGTI, neg(3), -3, false),
		branchI(JGEI, neg(3), -3, true), branchI(JGEI, neg(4), -3, false),

		float(FADD, 0, d(1.5), d(2.25), d(3.75)), float(FADD, 1, s(1.5), s(2.25), s(3.75)),
		float(FADD, 1, s(16777216), s(1), s(16777216)),
		float(FSUB, 0, d(1.5), d(2.25), d(-0.75)), float(FSUB, 1, s(1.5), s(2.25), s(-0.75)),
		float(FMUL, 0, d(1.5), d(2.25), d(3.375)), float(FMUL, 1, s(1.5), s(2.25), s(3.375)),
		float(FDIV, 0, d(1), d(0), d(math.Inf(1))), float(FDIV, 1, s(1), s(3), s(float32(1)/3)),
		conv(FNEG, 0, d(0), d(math.Copysign(0, -1))), conv(FNEG, 1, s(2), s(-2)),
		float(FEQ, 0, d(0), d(math.Copysign(0, -1)), 1), float(FEQ, 1, s(1), s(2), 0),
		float(FEQ, 0, d(math.NaN()), d(math.NaN()), 0),
		float(FNE, 0, d(math.NaN()), d(math.NaN()), 1), float(FNE, 1, s(1), s(1), 0),
		float(FLT, 0, d(-1), d(1), 1), float(FLT, 1, s(1), s(1), 0), float(FLT, 0, d(math.NaN()), d(1), 0),
		float(FLE, 0, d(1), d(1), 1), float(FLE, 1, s(2), s(1), 0), float(FLE, 1, s(1), s(float32(math.NaN())), 0),
		conv(CVIF, 0, neg(3), d(-3)), conv(CVIF, 1, neg(3), s(-3)),
		conv(CVIF, 1, 1<<24+1, s(1<<24)),
		conv(CVUF, 0, allOnes, d(1<<64)), conv(CVUF, 1, allOnes, s(1<<64)), conv(CVUF, 0, 3, d(3)),
		conv(CVFI, 0, d(-3.9), neg(3)), conv(CVFI, 1, s(3.9), 3),
		conv(CVFI, 0, d(math.NaN()), minInt), conv(CVFI, 0, d(1e19), minInt), conv(CVFI, 1, s(-1e19), minInt),
		conv(CVFI, 0, d(-1<<63), minInt), conv(CVFI, 0, d(1<<62), 1<<62),
		conv(CVFU, 0, d(1e19), 1e19), conv(CVFU, 1, s(3.9), 3), conv(CVFU, 0, d(-1), neg(1)),
		conv(CVFU, 0, d(math.NaN()), minInt), conv(CVFU, 0, d(1e20), minInt), conv(CVFU, 1, s(-1e19), minInt),
		conv(CVFU, 0, d(1<<63), minInt),
		conv(CVFF, 0, s(1.5), d(1.5)), conv(CVFF, 1, d(1+1e-12), s(1)),

		load(LD8U, 8, 0x88), load(LD8S, 8, 0xffffffffffffff88), load(LD8S, 0, 0x11),
		load(LD16U, 8, 0x9988), load(LD16S, 8, 0xffffffffffff9988), load(LD16U, 7, 0x8888),
		load(LD32U, 8, 0xbbaa9988), load(LD32S, 8, 0xffffffffbbaa9988),
		load(LD64, 0, dataAt0), load(LD64, 8, dataAt8), load(LD64, 4, 0xbbaa998888776655),
		{i: Enc(LDB, 11, 0, 3, 1), in: slots{0: allOnes, 1: allOnes, 2: allOnes, 3: memAt}, out: slots{0: 0x8888776655443322, 1: 0xbbaa99}},
		{i: Enc(LDB, 0, 0, 3, 1), in: slots{0: 5}},
		{i: Enc(LDB, 9, 0xffff, 3, 0), in: slots{3: memAt}, trap: TrapBadInstr},
		store(ST8, 0xab, 0x88776655443322ab), store(ST16, 0xabcd, 0x887766554433abcd),
		store(ST32, 0xabcdef01, 0x88776655abcdef01), store(ST64, allOnes, allOnes), store(STP, allOnes, allOnes),
		{i: Enc(STB, 3, 1, 2, 1), in: slots{1: memAt, 2: 0xddccbbaa}, out: slots{atMem: 0x88776655ccbbaa11}},
		{i: Enc(STB, 9, 1, 0xffff, 0), in: slots{1: memAt}, trap: TrapBadInstr},
		{i: abc(COPY), in: slots{0: memAt + 1, 1: memAt, 2: 5}, out: slots{atMem: 0x8877554433221111}},
		{i: abc(COPY), in: slots{0: 0, 1: 1, 2: 0}},
		{i: Enc(CLR, 0, 0, 1, 0), in: slots{0: memAt + 1, 1: 2}, out: slots{atMem: 0x8877665544000011}},
		{i: Enc(CLR, 0, 0, 1, 0), in: slots{0: 1, 1: 0}},

		{i: EncImm(NILCK, 0, 0, 0), in: slots{0: NilPage}},
		faults(EncImm(NILCK, 0, 0, 0), slots{0: NilPage - 1}, NilPage-1),
		{i: Enc(IDXCK, 0, 0, 1, 0), in: slots{0: 4, 1: 5}},
		panics(Enc(IDXCK, 0, 0, 1, 0), slots{0: 5, 1: 5}, PanicIndex, 5, 5),
		panics(Enc(IDXCK, 0, 0, 1, 0), slots{0: neg(1), 1: 5}, PanicIndex, -1, 5),
		panics(Enc(IDXCK, 1, 0, 1, 0), slots{0: neg(1), 1: 5}, PanicIndexU, -1, 5),
		{i: abcx(ELEM, 24), in: slots{1: 1000, 2: 3}, out: slots{0: 1072}},
		{i: Enc(ELEMS, 24, 0, 1, 3), in: slots{1: 1000, 2: 4, 3: 3}, out: slots{0: 1072}},
		panics(Enc(ELEMS, 24, 0, 1, 3), slots{1: 1000, 2: 4, 3: 4}, PanicIndex, 4, 4),
		panics(Enc(ELEMS, 24, 0, 1, 3), slots{1: 1000, 2: 4, 3: neg(1)}, PanicIndex, -1, 4),

		// address, len, cap, low, high, max, size
		sliced(0, [7]uint64{1000, 5, 9, 99, 99, 99, 8}, 1000, 5, 9),
		sliced(SliceLow, [7]uint64{1000, 5, 9, 2, 99, 99, 8}, 1016, 3, 7),
		sliced(SliceHigh, [7]uint64{1000, 5, 9, 99, 8, 99, 8}, 1000, 8, 9),
		sliced(SliceLow|SliceHigh|SliceMax, [7]uint64{1000, 5, 9, 1, 4, 6, 8}, 1008, 3, 5),
		sliced(SliceLow|SliceHigh, [7]uint64{1000, 5, 9, 9, 9, 99, 8}, 1000, 0, 0),
		sliced(SliceLow|SliceHigh|SliceMax, [7]uint64{1000, 5, 9, 6, 6, 6, 8}, 1000, 0, 0),
		sliced(SliceLow, [7]uint64{1000, 5, 9, 5, 99, 99, 8}, 1040, 0, 4),
		sliced(SliceString|SliceLow, [7]uint64{1000, 5, 99, 2, 99, 99, 1}, 1002, 3),
		sliced(SliceString|SliceLow, [7]uint64{1000, 5, 99, 5, 99, 99, 1}, 1000, 0),
		slicePanics(SliceHigh, [7]uint64{1000, 5, 9, 0, 10, 0, 8}, PanicSliceAcap, 10, 9),
		slicePanics(SliceHigh, [7]uint64{1000, 5, 9, 0, neg(1), 0, 8}, PanicSliceAcap, -1, 9),
		slicePanics(SliceHigh|SliceArray, [7]uint64{1000, 9, 9, 0, 10, 0, 8}, PanicSliceAlen, 10, 9),
		slicePanics(SliceHigh|SliceString, [7]uint64{1000, 5, 99, 0, 6, 0, 1}, PanicSliceAlen, 6, 5),
		slicePanics(SliceLow, [7]uint64{1000, 5, 9, 6, 0, 0, 8}, PanicSliceB, 6, 5),
		slicePanics(SliceLow|SliceHigh, [7]uint64{1000, 5, 9, 4, 3, 0, 8}, PanicSliceB, 4, 3),
		slicePanics(SliceLow|SliceHigh, [7]uint64{1000, 5, 9, 11, 10, 0, 8}, PanicSliceAcap, 10, 9), // high first
		slicePanics(SliceLow|SliceHigh|SliceMax, [7]uint64{1000, 5, 9, 12, 11, 10, 8}, PanicSlice3Acap, 10, 9),
		slicePanics(SliceHigh|SliceMax|SliceArray, [7]uint64{1000, 9, 9, 0, 11, 10, 8}, PanicSlice3Alen, 10, 9),
		slicePanics(SliceLow|SliceHigh|SliceMax, [7]uint64{1000, 5, 9, 9, 8, 7, 8}, PanicSlice3B, 8, 7),
		slicePanics(SliceLow|SliceHigh|SliceMax, [7]uint64{1000, 5, 9, 9, 6, 7, 8}, PanicSlice3C, 9, 6),

		{i: EncImm(NEW, 0, 0, layout24), out: slots{0: heapAt}},
		{i: EncImm(NEW, 0, 0, layout0), out: slots{0: zeroAt}},
		{i: EncImm(NEW, 0, 0, layout1G), trap: TrapOutOfMemory, fault: 1 << 30},
		{i: abcN(layout24), in: slots{1: 3}, out: slots{0: heapAt}},
		{i: abcN(layout0), in: slots{1: math.MaxInt64}, out: slots{0: zeroAt}},
		{i: abcN(layout24), in: slots{1: 0}, out: slots{0: zeroAt}},
		{i: abcN(layout8), in: slots{1: 1 << 45}, trap: TrapOutOfMemory, fault: 1 << 48},
		panics(abcN(layout8), slots{1: 1<<45 + 1}, PanicMakeSliceLen, 1<<45+1, 0),
		panics(abcN(layout8), slots{1: math.MaxInt64}, PanicMakeSliceLen, math.MaxInt64, 0),
		panics(abcN(layout8), slots{1: neg(1)}, PanicMakeSliceLen, -1, 0),
		panics(abcN(layout0), slots{1: neg(1)}, PanicMakeSliceLen, -1, 0),

		// Calls are seen by their effect on slots: the callee's frame is below.
		{i: EncImm(CALL, 0, 0, 1), out: slots{-1: 2, 0: 77}},
		{i: EncImm(CALLC, 0, 0, 0), in: slots{0: memAt + 16}, out: slots{-1: 2, 0: 77}},
		faults(EncImm(CALLC, 0, 0, 0), slots{0: 0}, 0),
		faults(EncImm(CALLC, 0, 0, 0), slots{0: size - 4}, size-4),
		{i: EncImm(CALLC, 0, 0, 0), in: slots{0: memAt}, trap: TrapBadInstr}, // no entry there
		{i: EncImm(HOST, 0, 3, 0), in: slots{3: 20}, out: slots{4: 21}},
		{i: EncImm(HOST, 0, 3, 1), trap: TrapGosched},
		{i: EncImm(HOST, 0, 3, 2), trap: TrapFault, fault: 99},
	}
}

const (
	atMem  = 1000 // stands for the word at memAt in slots
	zeroAt = memAt + 24
	heapAt = (zeroAt + 8 + pageBytes - 1) / pageBytes * pageBytes
)

func store(op Op, v, want uint64) opCase {
	return opCase{i: Enc(op, 0, 1, 2, 0), in: slots{1: memAt, 2: v}, out: slots{atMem: want}}
}

func abcN(layout int) Instr { return Enc(NEWN, 0, 0, 1, uint16(layout)) }

// testHosts replaces the host functions for a test.
func testHosts(t *testing.T) {
	saved := hosts
	t.Cleanup(func() { hosts = saved })
	hosts = []hostFunc{
		func(t *Thread, c *Context, args Addr) Trap {
			t.m.SetWord(args+8, t.m.Word(args)+1)
			return TrapNone
		},
		func(t *Thread, c *Context, args Addr) Trap { return TrapGosched },
		func(t *Thread, c *Context, args Addr) Trap { c.Fault = 99; return TrapFault },
	}
}

func TestInstructions(t *testing.T) {
	testHosts(t)
	seen := map[Op]bool{ENTER: true, RET: true, TRAP: true} // part of every case
	for _, tc := range append(opCases(), atomicCases()...) {
		seen[tc.i.Op()] = true
		t.Run(fmt.Sprintf("%v/%016x", tc.i.Op(), uint64(tc.i)), func(t *testing.T) {
			testInstruction(t, tc, false)
			testInstruction(t, tc, true)
		})
	}
	for op := range NumOps {
		assert.True(t, seen[op], "no test of %v", op)
	}
}

// testInstruction executes tc, perhaps while a collection marks.
func testInstruction(t *testing.T, tc opCase, marking bool) {
	b := newBuilder()
	b.data(dataAt0, dataAt8)
	b.fn("main.main", 32, 0)
	b.emit(tc.i)
	b.trap(TrapGosched, 5)
	b.trap(TrapGosched, 5)
	b.trap(TrapNewproc, 6)
	b.fn("main.callee", 4, 1)
	b.imm(LDI, 4+ArgBase, 77)
	b.ret()
	b.p.Consts = []uint64{0, 0x1234567890abcdef}
	p := b.program()
	p.Data = append(p.Data, byte(p.Funcs[1].Entry), 0, 0, 0, 0, 0, 0, 0) // a closure, at memAt+16
	m := newMachine(t, p)
	c, _ := start(t, m, 4096)
	c.Ctxt = 0x5000
	th := m.NewThread()
	if marking {
		m.GCStart()
	}

	_, trap := th.RunN(c, 1)
	require.Equal(t, TrapBudget, trap)
	sp := c.SP
	for k, v := range tc.in {
		m.SetWord(sp+8*Addr(k), v)
	}
	before := snapshot(m, sp)
	_, trap = th.RunN(c, 100)

	want := tc.trap
	switch {
	case want == TrapNone && tc.jumps:
		want = TrapNewproc
	case want == TrapNone:
		want = TrapGosched
	}
	require.Equal(t, want, trap)
	assert.Equal(t, want, c.Trap)
	assert.Equal(t, sp, c.SP)
	switch {
	case tc.trap.IsCall():
		assert.Equal(t, PC(2), c.PC)
		assert.Equal(t, sp+24, c.Args)
	case tc.trap != TrapNone:
		assert.Equal(t, PC(1), c.PC, "a trap leaves PC at the instruction")
		assert.Equal(t, PC(1), c.At())
	case tc.jumps:
		assert.Equal(t, PC(5), c.PC)
		assert.Equal(t, sp+48, c.Args)
	default:
		assert.Equal(t, sp+40, c.Args)
		assert.Equal(t, PC(3), c.PC)
		assert.Equal(t, PC(2), c.At())
	}
	if trap == TrapPanic {
		assert.Equal(t, tc.panic, c.Panic)
		assert.Equal(t, []int64{tc.x, tc.y}, []int64{c.X, c.Y})
	} else {
		assert.Equal(t, tc.fault, c.Fault)
	}

	for k, v := range tc.out {
		before[k] = v
	}
	if op := tc.i.Op(); op == CALL || op == CALLC {
		delete(before, -1) // where the return PC was
		assert.Equal(t, tc.out[-1], m.Word(sp-8), "return PC")
	}
	after := snapshot(m, sp)
	for k, v := range before {
		assert.Equal(t, v, after[k], "slot %d", k)
	}
}

// snapshot is what an instruction may change: the frame, the word below it, and
// the first word of data.
func snapshot(m *Machine, sp Addr) slots {
	all := slots{-1: m.Word(sp - 8), atMem: m.Word(Addr(memAt))}
	for k := range 32 {
		all[k] = m.Word(sp + 8*Addr(k))
	}
	return all
}

func TestFaults(t *testing.T) {
	accesses := []struct {
		width uint64
		instr func(off int) Instr // address in slot 1
	}{
		{1, func(off int) Instr { return Enc(LD8U, 0, 0, 1, uint16(off)) }},
		{1, func(off int) Instr { return Enc(LD8S, 0, 0, 1, uint16(off)) }},
		{2, func(off int) Instr { return Enc(LD16U, 0, 0, 1, uint16(off)) }},
		{2, func(off int) Instr { return Enc(LD16S, 0, 0, 1, uint16(off)) }},
		{4, func(off int) Instr { return Enc(LD32U, 0, 0, 1, uint16(off)) }},
		{4, func(off int) Instr { return Enc(LD32S, 0, 0, 1, uint16(off)) }},
		{8, func(off int) Instr { return Enc(LD64, 0, 0, 1, uint16(off)) }},
		{24, func(off int) Instr { return Enc(LDB, 24, 2, 1, uint16(off)) }},
		{1, func(off int) Instr { return Enc(ST8, 0, 1, 0, uint16(off)) }},
		{2, func(off int) Instr { return Enc(ST16, 0, 1, 0, uint16(off)) }},
		{4, func(off int) Instr { return Enc(ST32, 0, 1, 0, uint16(off)) }},
		{8, func(off int) Instr { return Enc(ST64, 0, 1, 0, uint16(off)) }},
		{8, func(off int) Instr { return Enc(STP, 0, 1, 0, uint16(off)) }},
		{24, func(off int) Instr { return Enc(STB, 24, 1, 2, uint16(off)) }},
		{4, func(off int) Instr { return Enc(ALD, uint8(WidthInt32), 0, 1, uint16(off)) }},
		{8, func(off int) Instr { return Enc(ALD, uint8(Width64), 0, 1, uint16(off)) }},
		{4, func(off int) Instr { return Enc(AST, uint8(WidthInt32), 1, 0, uint16(off)) }},
		{8, func(off int) Instr { return Enc(AST, uint8(Width64), 1, 0, uint16(off)) }},
	}
	for _, a := range accesses {
		for _, tc := range []struct {
			addr  uint64
			off   int
			fault bool
		}{
			{0, 0, true},
			{0, NilPage - 1, true},
			{NilPage - 1, 0, true},
			{NilPage, 0, false},
			{0, NilPage, false},
			{size - a.width, 0, false},
			{size - a.width + 1, 0, true},
			{size - a.width, 1, true},
			{size, 0, true},
			{1 << 40, 0, true},
			{allOnes, 0, true},
			{allOnes, 1, true},
			{neg(8), 16, true},
		} {
			i := a.instr(tc.off)
			oc := opCase{i: i, in: slots{1: tc.addr}, trap: TrapGosched}
			got, c := runOne(t, i, slots{1: tc.addr})
			whenMarking, _ := runWhile(t, (*Machine).GCStart, i, slots{1: tc.addr})
			name := fmt.Sprintf("%v at %#x+%d", i.Op(), tc.addr, tc.off)
			assert.Equal(t, got, whenMarking, name)
			if !tc.fault {
				assert.Equal(t, oc.trap, got, name)
				continue
			}
			assert.Equal(t, TrapFault, got, name)
			assert.Equal(t, Addr(tc.addr+uint64(tc.off)), c.Fault, name)
		}
	}

	for _, tc := range []opCase{
		faults(abc(COPY), slots{0: memAt, 1: 0, 2: 1}, 0),
		faults(abc(COPY), slots{0: 8, 1: memAt, 2: 1}, 8),
		faults(abc(COPY), slots{0: memAt, 1: size - 4, 2: 5}, size-4),
		faults(abc(COPY), slots{0: memAt, 1: memAt, 2: neg(1)}, memAt),
		faults(abc(COPY), slots{0: memAt, 1: memAt, 2: math.MaxInt64}, memAt),
		faults(Enc(CLR, 0, 0, 1, 0), slots{0: 8, 1: 1}, 8),
		faults(Enc(CLR, 0, 0, 1, 0), slots{0: memAt, 1: neg(1)}, memAt),
		faults(Enc(CLR, 0, 0, 1, 0), slots{0: size - 8, 1: 9}, size-8),
	} {
		trap, c := runOne(t, tc.i, tc.in)
		assert.Equal(t, tc.trap, trap, "%v %v", tc.i.Op(), tc.in)
		assert.Equal(t, tc.fault, c.Fault, "%v %v", tc.i.Op(), tc.in)
	}
}

// runOne runs an instruction and then TrapGosched.
func runOne(t *testing.T, i Instr, in slots) (Trap, *Context) {
	t.Helper()
	return runWhile(t, func(*Machine) {}, i, in)
}

// runWhile executes i after ready has been called.
func runWhile(t *testing.T, ready func(m *Machine), i Instr, in slots) (Trap, *Context) {
	t.Helper()
	b := newBuilder()
	b.data(dataAt0, dataAt8)
	b.fn("main.main", 8, 0)
	b.emit(i)
	b.trap(TrapGosched, 0)
	m := newMachine(t, b.program())
	c := startOn(m, Stack{Lo: Addr(size) - 8192, Hi: Addr(size) - 4096})
	th := m.NewThread()
	th.RunN(c, 1)
	ready(m)
	for k, v := range in {
		m.SetWord(c.SP+8*Addr(k), v)
	}
	_, trap := th.RunN(c, 100)
	return trap, c
}

// The stack pointer may go wrong too: through the router, through code that is
// not the compiler's, or because a guard is missing.
func TestStackPointerOutOfMemory(t *testing.T) {
	b := newBuilder()
	b.fn("main.main", 100, 0)
	b.call("main.main")
	b.ret()
	m := newMachine(t, b.program())
	th := m.NewThread()
	for _, sp := range []Addr{0, 8, NilPage - 8, Addr(size) + 8, Addr(size) - 4, 1 << 50} {
		c := &Context{SP: sp}
		left, trap := th.RunN(c, 10)
		assert.Equal(t, TrapFault, trap, "SP %#x", sp)
		assert.Equal(t, sp, c.Fault)
		assert.Equal(t, int64(10), left)
	}

	c := &Context{SP: Addr(size)} // no guard: calls itself down to the nil page
	_, trap := th.RunN(c, 1<<20)
	assert.Equal(t, TrapFault, trap)
	assert.Less(t, c.Fault, Addr(NilPage))

	c = &Context{SP: NilPage + 80} // ENTER has no room for the frame
	_, trap = th.RunN(c, 1)
	assert.Equal(t, TrapFault, trap)
	assert.Equal(t, Addr(NilPage+80-800), c.Fault)

	c = &Context{SP: NilPage, PC: 1} // CALL has no room for the return PC
	_, trap = th.RunN(c, 1)
	assert.Equal(t, TrapFault, trap)
	assert.Equal(t, Addr(NilPage-8), c.Fault)

	c = &Context{SP: Addr(size) - 16, PC: 2} // RET looks for it beyond memory
	_, trap = th.RunN(c, 1)
	assert.Equal(t, TrapFault, trap)

	st, _ := m.StackAlloc(16 << 10)
	c = startOn(m, st) // RET finds rubbish
	c.PC, c.SP = 2, st.Lo
	m.SetWord(st.Lo+800, StackPoison)
	_, trap = th.RunN(c, 1)
	assert.Equal(t, TrapBadInstr, trap)
	assert.Equal(t, PC(2), c.PC)
	assert.Equal(t, st.Lo, c.SP)

	c = &Context{SP: Addr(size), PC: 99}
	_, trap = th.RunN(c, 1)
	assert.Equal(t, TrapBadInstr, trap)
}

func TestEnterTrapsBelowGuard(t *testing.T) {
	b := newBuilder()
	b.fn("main.main", 100, 0)
	b.ret()
	m := newMachine(t, b.program())
	th := m.NewThread()
	c, st := start(t, m, 2048)
	fits := uint64(c.SP) - 800

	c.Guard.Store(fits + 1)
	for range 2 {
		_, trap := th.RunN(c, 10)
		assert.Equal(t, TrapMorestack, trap)
		assert.Equal(t, PC(0), c.PC, "PC is still at ENTER")
		assert.Equal(t, st.Hi-8, c.SP)
	}
	c.Guard.Store(StackPreempt)
	_, trap := th.RunN(c, 10)
	assert.Equal(t, TrapMorestack, trap)
	c.Guard.Store(fits)
	_, trap = th.RunN(c, 10)
	assert.Equal(t, TrapGoexit, trap)

	low := &Context{SP: NilPage + 400} // below address 0 is below any guard
	b = newBuilder()
	b.fn("main.main", 1<<30, 0)
	b.ret()
	_, trap = newMachine(t, b.program()).NewThread().RunN(low, 1)
	assert.Equal(t, TrapMorestack, trap)
	assert.Equal(t, Addr(NilPage+400), low.SP)
}

func TestRunStopsBeforeTheNextInstruction(t *testing.T) {
	needThreads(t)
	b := newBuilder()
	b.fn("main.main", 1, 0)
	b.label("for")
	b.jump(JMP, 0, 0, "for")
	m := newMachine(t, b.program())
	th := m.NewThread()
	c, _ := start(t, m, 2048)

	th.Signal.Send()
	assert.Equal(t, TrapSignal, th.Run(c))
	assert.Equal(t, PC(0), c.PC)
	left, trap := th.RunN(c, 7)
	assert.Equal(t, TrapSignal, trap, "Run does not clear it, and RunN looks, too")
	assert.Equal(t, int64(7), left)
	assert.Equal(t, PC(0), c.PC)

	assert.True(t, th.Signal.Clear())
	assert.False(t, th.Signal.Clear())
	for _, run := range []func() Trap{
		func() Trap { return th.Run(c) },
		func() Trap { _, trap := th.RunN(c, 1<<62); return trap },
	} {
		stopped := make(chan Trap)
		go func() { stopped <- run() }()
		th.Signal.Send()
		assert.Equal(t, TrapSignal, <-stopped)
		th.Signal.Clear()
	}

	left, trap = th.RunN(c, 0)
	assert.Equal(t, TrapBudget, trap)
	assert.Zero(t, left)
}

func TestProgramsThatCannotRun(t *testing.T) {
	good := func() *Program {
		b := newBuilder()
		b.fn("main.main", 1, 0)
		b.imm(JMP, 0, 0)
		b.ret()
		return b.program()
	}
	_, err := New(good(), Options{})
	require.NoError(t, err)
	_, err = New(&Program{}, Options{})
	require.NoError(t, err, "memory without a program")

	for want, spoil := range map[string]func(p *Program){
		"there is no operation 255":                            func(p *Program) { p.Code[1] = 255 },
		fmt.Sprintf("there is no operation %d", uint8(NumOps)): func(p *Program) { p.Code[1] = Instr(NumOps) },
		"jumps to 4, the code ends at 4":                       func(p *Program) { p.Code[1] = EncImm(JMP, 0, 0, 2) },
		"jumps to -1, the code ends at 4":                      func(p *Program) { p.Code[1] = EncImm(JZ, 0, 0, -3) },
		"jumps to 9, the code ends at 4":                       func(p *Program) { p.Code[1] = Enc(JEQ, 0, 0, 0, 7) },
		"the constant is number 0 of 0":                        func(p *Program) { p.Code[1] = EncImm(LDK, 0, 0, 0) },
		"the function is number -1 of 2":                       func(p *Program) { p.Code[1] = EncImm(CALL, 0, 0, -1) },
		"the host function is number 9999 of":                  func(p *Program) { p.Code[1] = EncImm(HOST, 0, 0, 9999) },
		"there is no width 4":                                  func(p *Program) { p.Code[1] = Enc(AADD, 4, 0, 0, 0) },
		"trap 4 is no call into the runtime":                   func(p *Program) { p.Code[1] = Enc(TRAP, uint8(TrapFault), 0, 0, 0) },
		"the last instruction leads out of the code":           func(p *Program) { p.Code[3] = Enc(NOP, 0, 0, 0, 0) },
		"entry is function 2 of 2":                             func(p *Program) { p.Entry = 2 },
		"goexit is at 4, the code ends at 4":                   func(p *Program) { p.Goexit = 4 },
		"function runtime.goexit has code [3, 5)":              func(p *Program) { p.Funcs[1].End = 5 },
		"function runtime.goexit has code [2, 4)":              func(p *Program) { p.Funcs[1].Entry = 2 },
		"the program's data takes 70000 bytes":                 func(p *Program) { p.Data = make([]byte, 70000) },
	} {
		p := good()
		spoil(p)
		_, err := New(p, Options{MemBytes: MinMemBytes})
		assert.ErrorContains(t, err, want)
	}
	_, err = New(nil, Options{})
	assert.Error(t, err)
	_, err = New(good(), Options{MemBytes: 1})
	assert.ErrorContains(t, err, "memory of 1 bytes: choose between 65536 (64 KiB)")
	_, err = New(good(), Options{MemBytes: 1 << 60})
	assert.Error(t, err)
}

// randomProgram returns a program of random instructions that can be loaded; op chooses each of
// them, by the one before. word is for what lies in memory.
func randomProgram(rnd *rand.Rand, op func(before Op) Op) (p *Program, word func() uint64) {
	word = func() uint64 {
		switch rnd.IntN(4) {
		case 0:
			return rnd.Uint64()
		case 1:
			return uint64(rnd.IntN(2000)) - 1000
		case 2:
			return size - 40 + uint64(rnd.IntN(80))
		}
		return uint64(rnd.IntN(1 << 20))
	}
	p = &Program{Consts: []uint64{word(), word()}, Funcs: []Func{{Name: "f"}, {Name: "g"}}, Layouts: testLayouts}
	last := NOP
	for range 60 {
		last = op(last)
		i := Enc(last, uint8(rnd.IntN(256)), uint16(rnd.IntN(12)), uint16(rnd.IntN(12)), uint16(rnd.IntN(12)))
		if rnd.IntN(10) == 0 {
			i = Enc(i.Op(), i.X(), uint16(word()), uint16(word()), uint16(word()))
		}
		switch i.Op() {
		case ENTER, RET:
			i = EncImm(i.Op(), 0, 0, int32(rnd.IntN(20)))
		case CALL, HOST, LDK:
			i = EncImm(i.Op(), 0, i.A(), int32(rnd.IntN(2)))
		case NEW:
			i = EncImm(NEW, 0, i.A(), int32(rnd.IntN(len(testLayouts))))
		}
		if i.Op().isAtomic() {
			i = Enc(i.Op(), i.X()%uint8(NumWidths), i.A(), i.B(), i.C())
		}
		if p.checkInstr(0, i) != nil {
			i = Enc(NOP, 0, 0, 0, 0)
		}
		p.Code = append(p.Code, i)
	}
	for pc := range p.Code { // jumps into the code
		if i := p.Code[pc]; i.Op().isJump() {
			n := rnd.IntN(60) - pc - 1
			if i.Op() <= JNZ {
				p.Code[pc] = EncImm(i.Op(), 0, i.A(), int32(n))
			} else {
				p.Code[pc] = Enc(i.Op(), 0, i.A(), i.B(), uint16(n))
			}
		}
	}
	p.Code = append(p.Code, EncImm(RET, 0, 0, 0))
	p.Funcs[0].Entry, p.Funcs[0].End, p.Funcs[0].Frame = 0, 30, uint32(rnd.IntN(40))
	p.Funcs[1].Entry, p.Funcs[1].End, p.Funcs[1].Frame = 30, 61, uint32(rnd.IntN(40))
	return p, word
}

// Whatever the code is, if it can be loaded, the CPU survives it, and a listing
// of where it stopped too.
func TestRandomCode(t *testing.T) {
	testHosts(t)
	traps := map[Trap]int{}
	for seed := range uint64(1000) {
		rnd := rand.New(rand.NewPCG(seed, 1))
		p, word := randomProgram(rnd, func(Op) Op { return Op(rnd.IntN(int(NumOps))) })
		m := newMachine(t, p)
		c := &Context{PC: PC(rnd.IntN(61)), SP: Addr(size) - 8*Addr(rnd.IntN(200))}
		for k := range 200 {
			m.SetWord(Addr(size)-8*Addr(k+1), word())
		}
		th := m.NewThread()
		for n := int64(2000); n > 0; {
			left, trap := th.RunN(c, n)
			traps[trap]++
			frames := 0
			m.Frames(c, func(Frame) bool { frames++; return true })
			require.LessOrEqual(t, frames, 1<<17)
			if n = left; !trap.IsCall() {
				break
			}
		}
	}
	for _, trap := range []Trap{TrapBudget, TrapFault, TrapPanic, TrapOutOfMemory, TrapBadInstr, TrapGosched} {
		assert.Positive(t, traps[trap], "no program ended with %v", trap)
	}
}

func TestCalls(t *testing.T) {
	p := &Program{Code: []Instr{EncImm(LDI, uint8(TrapSleep), 0, 1), Enc(TRAP, uint8(TrapGosched), 0, 0, 0)}}
	assert.True(t, p.Calls(TrapGosched))
	assert.True(t, p.Calls(TrapSleep, TrapGosched), "one of them is enough")
	assert.False(t, p.Calls(TrapSleep), "another instruction with that number")
	assert.False(t, p.Calls())
}
