package machine

import (
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"
)

// A builder writes programs by hand. Functions follow each other; jumps go to
// labels of the same function, calls to functions by name, also later ones.
type builder struct {
	p      Program
	labels map[string]PC
	jumps  map[PC]string
	calls  map[PC]string
}

func newBuilder() *builder {
	return &builder{p: Program{Layouts: testLayouts}, jumps: map[PC]string{}, calls: map[PC]string{}}
}

// testLayouts are those of the programs that are written by hand.
var testLayouts = []Layout{
	layout0: {}, layout1: {Size: 1}, layout4: {Size: 4}, layout8: {Size: 8}, layout24: {Size: 24}, layout1G: {Size: 1 << 30},
	layoutPair: {Size: 16, Pointers: []uint64{2}},
}

const (
	layoutNone = iota
	layout0
	layout1
	layout4
	layout8
	layout24
	layout1G
	layoutPair // a word, and an address
)

// fn begins a function; the first one is the program's entry. pointers are the
// slots that hold addresses, counted as in Func.Pointers.
func (b *builder) fn(name string, frame, args int, pointers ...int) {
	b.endFn()
	f := Func{
		Name: name, Entry: b.pc(), Frame: uint32(frame), Args: uint32(args),
		Pointers: make([]uint64, (frame+ArgBase+args)/64+1),
	}
	for _, i := range pointers {
		f.Pointers[i/64] |= 1 << (i % 64)
	}
	b.p.Funcs = append(b.p.Funcs, f)
	b.labels = map[string]PC{}
	b.imm(ENTER, 0, frame)
}

func (b *builder) endFn() {
	for pc, label := range b.jumps {
		i, to := b.p.Code[pc], b.labels[label]
		n := int(to) - int(pc) - 1
		if i.Op() <= JNZ {
			b.p.Code[pc] = EncImm(i.Op(), 0, i.A(), int32(n))
		} else {
			b.p.Code[pc] = Enc(i.Op(), 0, i.A(), i.B(), uint16(n))
		}
	}
	clear(b.jumps)
	if n := len(b.p.Funcs); n > 0 {
		b.p.Funcs[n-1].End = b.pc()
	}
}

func (b *builder) pc() PC { return PC(len(b.p.Code)) }

// line says that the code from here on belongs to a source line.
func (b *builder) line(n int) {
	f := &b.p.Funcs[len(b.p.Funcs)-1]
	if f.Lines == nil {
		f.Line = n
		f.Lines = append(f.Lines, Line{f.Entry, int32(n)})
		return
	}
	f.Lines = append(f.Lines, Line{b.pc(), int32(n)})
}

func (b *builder) emit(i Instr) { b.p.Code = append(b.p.Code, i) }

func (b *builder) op(op Op, x, a, bb, c int) {
	b.emit(Enc(op, uint8(x), uint16(a), uint16(bb), uint16(c)))
}

func (b *builder) imm(op Op, a, imm int) { b.emit(EncImm(op, 0, uint16(a), int32(imm))) }

func (b *builder) label(name string) { b.labels[name] = b.pc() }

func (b *builder) jump(op Op, a, bb int, label string) {
	b.jumps[b.pc()] = label
	b.op(op, 0, a, bb, 0)
}

func (b *builder) call(name string) {
	b.calls[b.pc()] = name
	b.imm(CALL, 0, 0)
}

func (b *builder) ret() { b.imm(RET, 0, int(b.p.Funcs[len(b.p.Funcs)-1].Frame)) }

func (b *builder) trap(trap Trap, a int) { b.op(TRAP, int(trap), a, 0, 0) }

func (b *builder) data(words ...uint64) {
	for _, w := range words {
		for k := range 8 {
			b.p.Data = append(b.p.Data, byte(w>>(8*k)))
		}
	}
}

// program ends the program with the code that goroutines return to.
func (b *builder) program() *Program {
	b.endFn()
	b.p.Goexit = b.pc()
	b.p.Funcs = append(b.p.Funcs, Func{Name: "runtime.goexit", Entry: b.pc(), End: b.pc() + 1})
	b.trap(TrapGoexit, 0)
	for pc, name := range b.calls {
		b.p.Code[pc] = EncImm(CALL, 0, 0, int32(b.index(name)))
	}
	b.p.Files = []File{{Name: "prog.go"}}
	return &b.p
}

func (b *builder) index(name string) int {
	for i := range b.p.Funcs {
		if b.p.Funcs[i].Name == name {
			return i
		}
	}
	panic("no function " + name)
}

func newMachine(t testing.TB, p *Program) *Machine {
	t.Helper()
	m, err := New(p, Options{MemBytes: 1 << 20})
	require.NoError(t, err)
	return m
}

// start makes a goroutine on a stack of its own that is about to execute the
// entry function of the machine's program with arguments and room for results.
func start(t testing.TB, m *Machine, size int64, args ...uint64) (*Context, Stack) {
	t.Helper()
	st, ok := m.StackAlloc(size)
	require.True(t, ok)
	return startOn(m, st, args...), st
}

func startOn(m *Machine, st Stack, args ...uint64) *Context {
	c := &Context{PC: m.Program.Funcs[m.Program.Entry].Entry}
	c.SP = st.Hi - 8*Addr(len(args)+1)
	c.Guard.Store(uint64(st.Lo) + StackSmall)
	m.SetWord(c.SP, uint64(m.Program.Goexit))
	for i, a := range args {
		m.SetWord(c.SP+8*Addr(i+1), a)
	}
	return c
}

// needThreads skips a test of signals where the host has one thread, on which
// nothing else happens until Run returns.
func needThreads(t *testing.T) {
	if runtime.GOARCH == "wasm" {
		t.Skip("the host has no second thread")
	}
}
