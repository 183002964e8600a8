package machine

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// fib computes a Fibonacci number by recursion.
func fib() *Program {
	b := newBuilder()
	b.fn("main.fib", 5, 2) // out: n, result; n-1; sum; spare
	b.line(3)
	const n, result = 5 + ArgBase, 5 + ArgBase + 1
	b.jump(JGEI, n, 2, "recurse")
	b.line(4)
	b.op(MOV, 0, result, n, 0)
	b.ret()
	b.label("recurse")
	b.line(6)
	b.op(ADDI, 0, 0, n, 0xffff)
	b.call("main.fib")
	b.op(MOV, 0, 3, 1, 0)
	b.line(7)
	b.op(ADDI, 0, 0, n, 0xfffe)
	b.call("main.fib")
	b.op(ADD, 0, result, 3, 1)
	b.ret()
	return b.program()
}

// interior passes the address of an element of an array in main's frame down a
// recursion. Each level keeps it in a slot of its own, moves it on by a word, and
// leaves its depth there on the way down and adds to it on the way up. Beside it
// lies a number that looks like an address in the stack but is none.
func interior() *Program {
	b := newBuilder()
	// Slots: 0 out depth, 1 out pointer; 2 the number; 3 pointer; 4..19 the array.
	const depth = 20 + ArgBase
	b.fn("main.main", 20, 1, 1, 3)
	b.imm(ZERO, 4, 16)
	b.imm(LEA, 2, 4)
	b.imm(LEA, 3, 4)
	b.op(MOV, 0, 0, depth, 0)
	b.op(MOV, 0, 1, 3, 0)
	b.call("main.down")
	b.op(MOV, 0, depth, 4, 0) // the result is the sum of the array
	for k := range 15 {
		b.op(ADD, 0, depth, depth, 5+k)
	}
	b.ret()

	const n, p = 5 + ArgBase, 5 + ArgBase + 1
	b.fn("main.down", 5, 2, 1, 2, p)
	b.op(MOV, 0, 2, p, 0)
	b.op(ST64, 0, 2, n, 0)
	b.jump(JLEI, n, 1, "up")
	b.op(ADDI, 0, 0, n, 0xffff)
	b.op(ADDI, 0, 1, p, 8)
	b.call("main.down")
	b.label("up")
	b.op(LD64, 0, 3, 2, 0)
	b.op(ADDI, 0, 3, 3, 100)
	b.op(ST64, 0, p, 3, 0)
	b.ret()
	return b.program()
}

// memoryWork allocates, slices, copies, stores narrowly and calls a closure.
func memoryWork() *Program {
	b := newBuilder()
	const arg = 24 + ArgBase
	b.fn("main.main", 24, 1, 1, 4, 8, 11, 14)
	b.imm(LDI, 2, 40)
	b.op(NEWN, 0, 1, 2, layout4) // make([]int32, 40)
	b.op(MOV, 0, 3, 2, 0)        // slice in 1, 2, 3
	b.imm(LDI, 0, 0)             // i
	b.label("fill")
	b.op(ELEMS, 4, 4, 1, 0)
	b.op(MUL, 0, 5, 0, arg)
	b.op(ST32, 0, 4, 5, 0)
	b.op(ADDI, 0, 0, 0, 1)
	b.jump(JLT, 0, 2, "fill")

	b.op(MOVN, 3, 14, 1, 0) // the block of operands of SLICE: 14..20
	b.imm(LDI, 17, 3)
	b.imm(LDI, 18, 30)
	b.imm(LDI, 20, 4)
	b.op(SLICE, SliceLow|SliceHigh, 8, 0, 14)
	b.imm(LDI, 13, 60)
	b.op(COPY, 0, 1, 8, 13)
	b.op(LDB, 13, 5, 8, 4) // 13 bytes into 5, 6
	b.op(STB, 11, 1, 5, 1)
	b.imm(LDI, 7, 9)
	b.op(CLR, 0, 8, 7, 0)

	b.imm(NEW, 11, layoutPair) // a closure that captures the slice's address
	b.op(LDK, 0, 7, 0, 0)
	b.op(ST64, 0, 11, 7, 0)
	b.op(ST64, 0, 11, 1, 8)
	b.op(CALLC, 0, 11, 0, 0)
	b.op(MOV, 0, arg, 0, 0)
	b.ret()

	const result = 6 + ArgBase
	b.fn("main.main.func1", 6, 1, 0, 1)
	b.imm(CTXT, 0, 0)
	b.op(LD64, 0, 1, 0, 8)
	b.imm(LDI, 2, 0)
	b.imm(LDI, result, 0)
	b.label("sum")
	b.op(ADD, 0, 3, 1, 2)
	b.op(LD8S, 0, 4, 3, 0)
	b.op(CVIF, 0, 4, 4, 0)
	b.op(CVIF, 0, 5, result, 0)
	b.op(FADD, 0, 5, 5, 4)
	b.op(CVFI, 0, result, 5, 0)
	b.op(ADDI, 0, 2, 2, 1)
	b.jump(JLTI, 2, 160, "sum")
	b.ret()
	p := b.program()
	p.Consts = []uint64{uint64(p.Funcs[1].Entry)}
	return p
}

var programs = []struct {
	name   string
	prog   func() *Program
	arg    uint64
	result uint64
	at     int // the argument slot with the result
}{
	{"fib", fib, 9, 34, 1},
	{"interior", interior, 12, 12*13/2 + 1200, 0},
	{"memory", memoryWork, 7, 0, 0},
}

// finish runs c to the end of its goroutine, step instructions at a time, and
// calls between after each piece.
func finish(t *testing.T, th *Thread, c *Context, step int64, between func()) (executed int64) {
	t.Helper()
	for {
		left, trap := th.RunN(c, step)
		executed += step - left
		if trap != TrapBudget {
			require.Equal(t, TrapGoexit, trap)
			return executed
		}
		between()
	}
}

// A run that is cut into pieces of k instructions computes what one that is not
// cut computes, and leaves the same memory and context, for every k.
func TestCutAfterEveryK(t *testing.T) {
	for _, p := range programs {
		t.Run(p.name, func(t *testing.T) {
			prog := p.prog()
			end := func(step int64) (n int64, result uint64, state string, words []uint64) {
				m := newMachine(t, prog)
				c, st := start(t, m, 4096, p.arg, 0)
				n = finish(t, m.NewThread(), c, step, func() {})
				state = fmt.Sprint(c.PC, c.SP, c.Ctxt, c.Trap, c.Args)
				return n, m.Word(st.Hi - 16 + 8*Addr(p.at)), state, m.words
			}
			n, result, state, words := end(1 << 40)
			if p.result != 0 {
				assert.Equal(t, p.result, result)
			}
			assert.NotZero(t, result)
			for k := int64(1); k <= min(n+1, 300); k++ {
				n2, result2, state2, words2 := end(k)
				require.Equal(t, n, n2, "k = %d", k)
				require.Equal(t, result, result2, "k = %d", k)
				require.Equal(t, state, state2, "k = %d", k)
				require.True(t, slices.Equal(words, words2), "k = %d: memory differs", k)
			}
		})
	}
}

// A signal does the same as a budget: it comes between any two instructions.
func TestInterruptedBySignals(t *testing.T) {
	needThreads(t)
	m := newMachine(t, fib())
	th := m.NewThread()
	st, ok := m.StackAlloc(8192)
	require.True(t, ok)
	ask, sent := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(sent)
		for range ask {
			th.Signal.Send()
		}
	}()
	defer func() {
		close(ask)
		<-sent
	}()
	c := startOn(m, st, 12, 0)
	for range 200 {
		ask <- struct{}{}
		for {
			trap := th.Run(c)
			if trap == TrapSignal {
				break
			}
			require.Equal(t, TrapGoexit, trap)
			require.Equal(t, uint64(144), m.Word(st.Hi-8))
			c = startOn(m, st, 12, 0)
		}
		assert.True(t, th.Signal.Clear())
		assert.False(t, th.Signal.Clear())
	}
}

// The stack may be moved between any two instructions. The old one is poisoned,
// so a slot that was not adjusted makes the program fail.
func TestCopyStackAfterEveryK(t *testing.T) {
	for _, p := range programs {
		t.Run(p.name, func(t *testing.T) {
			prog := p.prog()
			m := newMachine(t, prog)
			c, st := start(t, m, 4096, p.arg, 0)
			n := finish(t, m.NewThread(), c, 1<<40, func() {})
			want := m.Word(st.Hi - 16 + 8*Addr(p.at))

			for k := int64(1); k <= min(n, 150); k++ {
				m := newMachine(t, prog)
				c, st := start(t, m, 4096, p.arg, 0)
				size, moves := int64(4096), 0
				finish(t, m.NewThread(), c, k, func() {
					size = 12288 - size // 4 KiB and 8 KiB by turns
					to, ok := m.StackAlloc(size)
					require.True(t, ok)
					copyStack(m, c, st, to)
					m.StackFree(st)
					st = to
					c.Guard.Store(uint64(st.Lo) + StackSmall)
					moves++
				})
				require.Equal(t, (n-1)/k, int64(moves))
				require.Equal(t, want, m.Word(st.Hi-16+8*Addr(p.at)), "moved after every %d instructions", k)
			}
		})
	}
}

// copyStack moves the goroutine of c from stack old to stack new, as chapter 13 does.
func copyStack(m *Machine, c *Context, old, new Stack) {
	m.Copy(new.Hi-(old.Hi-c.SP), c.SP, int64(old.Hi-c.SP))
	delta := new.Hi - old.Hi
	adjust := func(a Addr) Addr {
		if a >= old.Lo && a < old.Hi {
			return a + delta
		}
		return a
	}
	c.SP, c.Args, c.Fault = c.SP+delta, adjust(c.Args), adjust(c.Fault)
	m.Frames(c, func(fr Frame) bool {
		for at := range fr.Pointers {
			if at < new.Hi {
				m.SetWord(at, uint64(adjust(Addr(m.Word(at)))))
			}
		}
		return true
	})
}

func TestCopyStackAdjustsOnlyPointers(t *testing.T) {
	m := newMachine(t, interior())
	c, old := start(t, m, 4096, 5, 0)
	_, trap := m.NewThread().RunN(c, 4)
	require.Equal(t, TrapBudget, trap)
	addr := uint64(c.SP + 32)
	require.Equal(t, addr, m.Word(c.SP+16), "the number")
	require.Equal(t, addr, m.Word(c.SP+24), "the pointer")
	c.Args, c.Fault = c.SP+8, old.Hi

	to, _ := m.StackAlloc(8192)
	delta := to.Hi - old.Hi
	before := c.SP
	copied := append([]uint64(nil), m.words[before/8:old.Hi/8]...)
	copyStack(m, c, old, to)
	assert.Equal(t, before+delta, c.SP)
	assert.Equal(t, before+8+delta, c.Args)
	assert.Equal(t, old.Hi, c.Fault, "one past the end is not in the stack")
	assert.Equal(t, addr, m.Word(c.SP+16), "the number")
	assert.Equal(t, addr+uint64(delta), m.Word(c.SP+24), "the pointer")
	assert.Equal(t, copied, m.words[before/8:old.Hi/8], "the old stack is left alone")

}

// The arguments of the outermost function belong to no other frame. What lies
// beyond the stack belongs to somebody else, even if a function's description
// says that its arguments reach there.
func TestCopyStackAdjustsArguments(t *testing.T) {
	b := newBuilder()
	b.fn("main.main", 2, 3, 2+ArgBase, 2+ArgBase+1, 2+ArgBase+2)
	b.ret()
	m := newMachine(t, b.program())
	c, old := start(t, m, 2048, 0, 0)
	m.SetWord(old.Hi-16, uint64(old.Hi-8))
	m.SetWord(old.Hi-8, uint64(old.Lo))
	require.True(t, m.Valid(old.Hi-16, 16))
	buf, _ := m.StackAlloc(8192)
	to := Stack{buf.Lo, buf.Lo + 4096} // so that memory follows it
	m.SetWord(to.Hi, uint64(old.Lo))
	copyStack(m, c, old, to)
	assert.Equal(t, uint64(to.Hi-8), m.Word(to.Hi-16))
	assert.Equal(t, uint64(to.Hi-2048), m.Word(to.Hi-8))
	assert.Equal(t, uint64(old.Lo), m.Word(to.Hi), "not in the stack")
}

// fmtFrames writes a listing.
func fmtFrames(m *Machine, c *Context) (lines []string) {
	m.Frames(c, func(fr Frame) bool {
		lines = append(lines, fmt.Sprintf("%s:%d", fr.Func.Name, fr.Func.LineAt(fr.PC)))
		return true
	})
	return lines
}

func TestFrames(t *testing.T) {
	m := newMachine(t, fib())
	c, _ := start(t, m, 4096, 3, 0)
	th := m.NewThread()
	assert.Equal(t, []string{"main.fib:3"}, fmtFrames(m, c), "before the first instruction")

	// fib(3): ENTER, JGEI, ADDI, CALL, and the same for fib(2).
	th.RunN(c, 4)
	assert.Equal(t, []string{"main.fib:3", "main.fib:6"}, fmtFrames(m, c), "before ENTER")
	th.RunN(c, 1)
	assert.Equal(t, []string{"main.fib:3", "main.fib:6"}, fmtFrames(m, c), "after ENTER")
	th.RunN(c, 5)
	assert.Equal(t, []string{"main.fib:4", "main.fib:6", "main.fib:6"}, fmtFrames(m, c)[:3])
	th.RunN(c, 6)
	assert.Equal(t, []string{"main.fib:3", "main.fib:7", "main.fib:6"}, fmtFrames(m, c)[:3], "the line of the call, not of the return")

	var first []string
	m.Frames(c, func(fr Frame) bool { first = append(first, fr.Func.Name); return false })
	assert.Len(t, first, 1, "yield ends it")

	finish(t, th, c, 1<<40, func() {})
	assert.Empty(t, fmtFrames(m, c), "at its end a goroutine has no frames")
}

// A call into the runtime is the last instruction of its function; the next pc
// belongs to another one.
func TestFramesInsideACallThatDoesNotReturn(t *testing.T) {
	b := newBuilder()
	b.fn("main.main", 2, 0)
	b.line(1)
	b.line(2)
	b.call("main.die")
	b.fn("main.die", 3, 0)
	b.line(5)
	b.line(6)
	b.trap(TrapGopanic, 1)
	b.fn("main.other", 9, 0)
	b.line(9)
	b.ret()
	m := newMachine(t, b.program())
	c, _ := start(t, m, 2048)
	_, trap := m.NewThread().RunN(c, 100)
	require.Equal(t, TrapGopanic, trap)
	assert.Equal(t, []string{"main.die:6", "main.main:2"}, fmtFrames(m, c))
}

func TestFramesOfRubbish(t *testing.T) {
	m := newMachine(t, fib())
	for _, c := range []*Context{
		{},
		{SP: NilPage, PC: 1},
		{SP: Addr(size), PC: 0},
		{SP: Addr(size) - 4, PC: 1},
		{SP: 1 << 60, PC: 1},
		{SP: allOnes - 7, PC: 1},
		{SP: Addr(size) - 8, PC: 1},
		{SP: 8192, PC: 1 << 30},
	} {
		n := len(fmtFrames(m, c))
		assert.LessOrEqual(t, n, 1)
	}

	m.SetWord(Addr(size)-800, 1<<32+2) // no return address, though its low half is one
	assert.Len(t, fmtFrames(m, &Context{SP: Addr(size) - 840, PC: 1}), 1)

	// A stack that is full of return addresses ends at the end of memory.
	for a := Addr(size) - 8000; a < Addr(size); a += 8 {
		m.SetWord(a, 2)
	}
	assert.Len(t, fmtFrames(m, &Context{SP: Addr(size) - 4800, PC: 1}), 100)
}
