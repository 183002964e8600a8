package compile

import (
	"cmp"
	"math"
	"slices"
	"sort"

	"gosched/chapters/machine"
)

// A slot names a slot of a frame before the frame's size is known: a region
// and an index into it.
type slot int32

const (
	regLocal = iota << 24 // values that live longer than one SSA instruction
	regTemp               // values that do not
	regOut                // outgoing arguments and results: the lowest slots
	regArg                // incoming arguments and results: above the return PC
	regMask  = 0xff << 24
)

func (s slot) region() int { return int(s) & regMask }
func (s slot) index() int  { return int(s) &^ regMask }

// out and arg name the i-th slot of their region.
func out(i int) slot { return slot(regOut | i) }
func arg(i int) slot { return slot(regArg | i) }

// An ins is an instruction whose slots and jumps are not resolved yet.
type ins struct {
	op      machine.Op
	x       uint8
	a, b, c int32 // slots where the operation has slots, numbers elsewhere
	line    int32 // in the function of its scope
	scope   int   // see code.scopes
	to      label // of a jump
	entry   bool  // LDI: b is a function; becomes its entry PC
	unsafe  bool  // see code.passing
}

// A label is a place in the code, an index into fn.labels.
type label int32

// A form says what the fields of an operation are.
type form uint8

const (
	slotA form = 1 << iota
	slotB
	slotC
	imm32  // b is a 32-bit immediate in place of b and c
	slotI  // the 32-bit immediate is a slot
	jump32 // the 32-bit immediate is a jump
	jump16 // c is a jump
)

var forms = [machine.NumOps]form{
	machine.NOP:  0,
	machine.MOV:  slotA | slotB,
	machine.MOVN: slotA | slotB,
	machine.LDI:  slotA | imm32,
	machine.LDK:  slotA | imm32,
	machine.ZERO: slotA | imm32,
	machine.LEA:  slotA | imm32 | slotI,
	machine.CTXT: slotA,

	machine.ADD:  slotA | slotB | slotC,
	machine.SUB:  slotA | slotB | slotC,
	machine.MUL:  slotA | slotB | slotC,
	machine.DIV:  slotA | slotB | slotC,
	machine.DIVU: slotA | slotB | slotC,
	machine.REM:  slotA | slotB | slotC,
	machine.REMU: slotA | slotB | slotC,
	machine.AND:  slotA | slotB | slotC,
	machine.OR:   slotA | slotB | slotC,
	machine.XOR:  slotA | slotB | slotC,
	machine.ANDN: slotA | slotB | slotC,
	machine.SHL:  slotA | slotB | slotC,
	machine.SHR:  slotA | slotB | slotC,
	machine.SAR:  slotA | slotB | slotC,
	machine.ADDI: slotA | slotB,
	machine.NEG:  slotA | slotB,
	machine.COM:  slotA | slotB,
	machine.NOT:  slotA | slotB,
	machine.EXT:  slotA | slotB,
	machine.SHCK: slotA,

	machine.EQ:  slotA | slotB | slotC,
	machine.NE:  slotA | slotB | slotC,
	machine.LT:  slotA | slotB | slotC,
	machine.LE:  slotA | slotB | slotC,
	machine.LTU: slotA | slotB | slotC,
	machine.LEU: slotA | slotB | slotC,

	machine.JMP:  jump32,
	machine.JZ:   slotA | jump32,
	machine.JNZ:  slotA | jump32,
	machine.JEQ:  slotA | slotB | jump16,
	machine.JNE:  slotA | slotB | jump16,
	machine.JLT:  slotA | slotB | jump16,
	machine.JLE:  slotA | slotB | jump16,
	machine.JLTU: slotA | slotB | jump16,
	machine.JLEU: slotA | slotB | jump16,
	machine.JEQI: slotA | jump16,
	machine.JNEI: slotA | jump16,
	machine.JLTI: slotA | jump16,
	machine.JLEI: slotA | jump16,
	machine.JGTI: slotA | jump16,
	machine.JGEI: slotA | jump16,

	machine.FADD: slotA | slotB | slotC,
	machine.FSUB: slotA | slotB | slotC,
	machine.FMUL: slotA | slotB | slotC,
	machine.FDIV: slotA | slotB | slotC,
	machine.FNEG: slotA | slotB,
	machine.FEQ:  slotA | slotB | slotC,
	machine.FNE:  slotA | slotB | slotC,
	machine.FLT:  slotA | slotB | slotC,
	machine.FLE:  slotA | slotB | slotC,
	machine.CVIF: slotA | slotB,
	machine.CVUF: slotA | slotB,
	machine.CVFI: slotA | slotB,
	machine.CVFU: slotA | slotB,
	machine.CVFF: slotA | slotB,

	machine.LD8U:  slotA | slotB,
	machine.LD8S:  slotA | slotB,
	machine.LD16U: slotA | slotB,
	machine.LD16S: slotA | slotB,
	machine.LD32U: slotA | slotB,
	machine.LD32S: slotA | slotB,
	machine.LD64:  slotA | slotB,
	machine.LDB:   slotA | slotB,
	machine.ST8:   slotA | slotB,
	machine.ST16:  slotA | slotB,
	machine.ST32:  slotA | slotB,
	machine.ST64:  slotA | slotB,
	machine.STP:   slotA | slotB,
	machine.STB:   slotA | slotB,
	machine.COPY:  slotA | slotB | slotC,
	machine.CLR:   slotA | slotB,

	machine.ALD:   slotA | slotB,
	machine.AST:   slotA | slotB,
	machine.ASWAP: slotA | slotB | slotC,
	machine.ACAS:  slotA | slotB | slotC,
	machine.AADD:  slotA | slotB | slotC,
	machine.AAND:  slotA | slotB | slotC,
	machine.AOR:   slotA | slotB | slotC,

	machine.NILCK: slotA,
	machine.IDXCK: slotA | slotB,
	machine.ELEM:  slotA | slotB | slotC,
	machine.ELEMS: slotA | slotB | slotC,
	machine.SLICE: slotA | slotC,

	machine.NEW:  slotA | imm32,
	machine.NEWN: slotA | slotB,

	machine.CALL:  imm32,
	machine.CALLC: slotA,
	machine.ENTER: imm32,
	machine.RET:   imm32,

	machine.HOST: slotA | imm32,
	machine.TRAP: slotA,
}

// A slotPool is a region whose slots each have one class for the whole
// function, because the frame has one bitmap: a slot that may hold an address
// never holds anything else.
type slotPool struct {
	ptr  []bool   // class of each slot
	busy [][]span // when each is taken, in order
}

// take returns the first run of slots of the classes in shape that is free at
// the given positions, and takes it.
func (p *slotPool) take(shape []bool, when []span) int {
	at := 0
	for at < len(p.ptr) && !p.free(at, shape, when) {
		at++
	}
	for len(p.ptr) < at+len(shape) {
		p.ptr = append(p.ptr, shape[len(p.ptr)-at])
		p.busy = append(p.busy, nil)
	}
	p.hold(at, len(shape), when)
	return at
}

// free reports whether the slots from at on are free at the given positions
// and have the classes of shape. Slots beyond the last are.
func (p *slotPool) free(at int, shape []bool, when []span) bool {
	for i, ptr := range shape {
		if at+i == len(p.ptr) {
			break
		}
		if p.ptr[at+i] != ptr || overlap(p.busy[at+i], when) {
			return false
		}
	}
	return true
}

// hold takes n slots from at on.
func (p *slotPool) hold(at, n int, when []span) {
	for i := range n {
		p.busy[at+i] = merge(p.busy[at+i], when)
	}
}

// overlap reports whether two lists of ranges, each in order, have a position
// in common.
func overlap(a, b []span) bool {
	for _, s := range b {
		i := sort.Search(len(a), func(i int) bool { return a[i].end >= s.start })
		if i < len(a) && a[i].start <= s.end {
			return true
		}
	}
	return false
}

// merge returns all ranges of a and b, in order, with neighbours joined.
func merge(a, b []span) []span {
	if len(a) == 0 || len(b) == 0 || a[len(a)-1].end < b[0].start { // the usual case
		for _, s := range b {
			a = appendSpan(a, s)
		}
		return a
	}
	all := slices.Concat(a, b)
	slices.SortFunc(all, func(x, y span) int { return cmp.Compare(x.start, y.start) })
	joined := all[:0]
	for _, s := range all {
		joined = appendSpan(joined, s)
	}
	return joined
}

// code is the code of one function, not resolved yet.
type code struct {
	name  string
	file  int
	line  int  // of the func keyword
	plain bool // captures nothing: its closure is in the data segment

	shape []bool // classes of arguments and results
	args  int    // how many of them are arguments, in slots
	outs  int    // number of outgoing slots
	local slotPool
	temp  slotPool

	defers  *value // the list of deferred calls; nil if there are no defer statements
	recover label  // where the function goes on after one has recovered

	ins    []ins
	labels []int // index of an instruction, or -1
	now    int32 // line of the instructions being emitted

	scopes []scope // what stands in place of calls
	scope  int     // in which instructions are being emitted: one more than its index, 0 outside

	// passing says that outgoing slots were written, for a call that has not been
	// emitted yet. Nobody knows then which of them hold addresses of the stack: the bitmap
	// of this function says nothing about them, and the callee has no frame. So
	// the stack must not move, and the instructions up to the call are no safe points.
	passing bool
}

// A scope is the code that stands in place of a call of a function: instructions from first up
// to before end.
type scope struct {
	name       string
	file       int
	first, end int
	outer      int   // the scope of the call
	line       int32 // of the call
}

// beginScope begins a scope inside the current one, of a function with that name and place.
func (c *code) beginScope(name string, file, line int) {
	c.scopes = append(c.scopes, scope{name: name, file: file, first: len(c.ins), outer: c.scope, line: c.now})
	c.scope, c.now = len(c.scopes), int32(line)
}

// endScope ends the current scope.
func (c *code) endScope() {
	s := &c.scopes[c.scope-1]
	s.end = len(c.ins)
	c.scope, c.now = s.outer, s.line
}

func (c *code) emit(i ins) {
	i.line, i.scope = c.now, c.scope
	i.unsafe = c.passing
	c.ins = append(c.ins, i)
	switch f := forms[i.op]; {
	case i.op == machine.CALL || i.op == machine.CALLC || i.op == machine.HOST || i.op == machine.TRAP:
		c.passing = false
	case f&slotA != 0 && f&(jump16|jump32) == 0 && slot(i.a).region() == regOut:
		c.passing = true
	}
}

// op emits an instruction with slots for operands.
func (c *code) op(op machine.Op, x int, a, b, cc slot) {
	c.emit(ins{op: op, x: uint8(x), a: int32(a), b: int32(b), c: int32(cc)})
}

// opI emits an instruction with slot a and a 32-bit immediate.
func (c *code) opI(op machine.Op, x int, a slot, imm int) {
	c.emit(ins{op: op, x: uint8(x), a: int32(a), b: int32(imm)})
}

// mem emits a load or store with a byte offset.
func (c *code) mem(op machine.Op, x int, a, b slot, off int64) {
	c.emit(ins{op: op, x: uint8(x), a: int32(a), b: int32(b), c: int32(off)})
}

func (c *code) newLabel() label {
	c.labels = append(c.labels, -1)
	return label(len(c.labels) - 1)
}

func (c *code) bind(l label) { c.labels[l] = len(c.ins) }

func (c *code) jump(l label) { c.emit(ins{op: machine.JMP, to: l}) }

// branch emits a conditional jump; b is a slot or a number, as op has it.
func (c *code) branch(op machine.Op, a slot, b int32, l label) {
	c.emit(ins{op: op, a: int32(a), b: b, to: l})
}

// block reserves n outgoing slots, for a call or a block of arguments.
func (c *code) block(n int) { c.outs = max(c.outs, n) }

// frame returns the number of slots of the frame.
func (c *code) frame() int { return c.outs + len(c.local.ptr) + len(c.temp.ptr) }

// resolve returns the number of s in the finished frame.
func (c *code) resolve(s int32) int {
	i := slot(s).index()
	switch slot(s).region() {
	case regOut:
		return i
	case regLocal:
		return c.outs + i
	case regTemp:
		return c.outs + len(c.local.ptr) + i
	default:
		return c.frame() + machine.ArgBase + i
	}
}

// size returns the highest number of slots that an operand must name.
func (c *code) size() int { return c.frame() + machine.ArgBase + len(c.shape) }

// pointers returns the bitmap of Func.Pointers. Outgoing slots have no bit:
// they hold a callee's arguments, which its own bitmap describes, and never an
// address in the stack.
func (c *code) pointers() []uint64 {
	bits := make([]uint64, (c.size()+63)/64)
	set := func(base int, ptr []bool) {
		for i, p := range ptr {
			if p {
				bits[(base+i)>>6] |= 1 << ((base + i) & 63)
			}
		}
	}
	set(c.outs, c.local.ptr)
	set(c.outs+len(c.local.ptr), c.temp.ptr)
	set(c.frame()+machine.ArgBase, c.shape)
	return bits
}

// assemble resolves the code for a function that begins at pc base. entries
// gives the entries of all functions; while it is nil, closures are left
// alone, which changes no size.
func (c *code) assemble(base int, entries []machine.PC) (text []machine.Instr, lines []machine.Line, inlined []machine.Inlined) {
	at, far := c.layout()
	text = make([]machine.Instr, 0, at[len(c.ins)])
	for i, in := range c.ins {
		f := forms[in.op]
		a, b, cc := in.a, in.b, in.c
		if f&slotA != 0 {
			a = int32(c.resolve(a))
		}
		if f&(slotB|slotI) != 0 {
			b = int32(c.resolve(b))
		}
		if f&slotC != 0 {
			cc = int32(c.resolve(cc))
		}
		if in.entry && entries != nil {
			b = int32(entries[b])
		}
		switch {
		case f&jump32 != 0:
			n := at[c.labels[in.to]] - (at[i] + 1)
			text = append(text, machine.EncImm(in.op, in.x, uint16(a), int32(n)))
		case f&jump16 != 0 && far[i]:
			// Jump over the jump that is taken when the condition fails.
			n := at[c.labels[in.to]] - (at[i] + 3)
			text = append(text,
				machine.Enc(in.op, in.x, uint16(a), uint16(b), 1),
				machine.EncImm(machine.JMP, 0, 0, 1),
				machine.EncImm(machine.JMP, 0, 0, int32(n)))
		case f&jump16 != 0:
			n := at[c.labels[in.to]] - (at[i] + 1)
			text = append(text, machine.Enc(in.op, in.x, uint16(a), uint16(b), uint16(n)))
		case f&imm32 != 0:
			text = append(text, machine.EncImm(in.op, in.x, uint16(a), b))
		default:
			text = append(text, machine.Enc(in.op, in.x, uint16(a), uint16(b), uint16(cc)))
		}
	}
	lines = c.lines(base, at, 0, 0, len(c.ins))
	for i, s := range c.scopes {
		if s.first < s.end {
			inlined = append(inlined, machine.Inlined{
				Name: s.name, File: s.file, Lines: c.lines(base, at, i+1, s.first, s.end),
				Entry: machine.PC(base + at[s.first]), End: machine.PC(base + at[s.end]),
			})
		}
	}
	return text, lines, inlined
}

// lines returns the lines of the instructions from first up to before end in the function of
// a scope that they are in: what stands in place of a call has the line of the call.
func (c *code) lines(base int, at []int, scope, first, end int) (lines []machine.Line) {
	last := int32(-1)
	for i := first; i < end; i++ {
		line := c.ins[i].line
		for s := c.ins[i].scope; s != scope; s = c.scopes[s-1].outer {
			line = c.scopes[s-1].line
		}
		if line != last {
			lines = append(lines, machine.Line{PC: machine.PC(base + at[i]), Line: line})
			last = line
		}
	}
	return lines
}

// unsafe adds to bits those of the instructions that are no safe points, of a function
// that begins at pc base.
func (c *code) unsafe(base int, bits []uint64) []uint64 {
	at, _ := c.layout()
	for i, in := range c.ins {
		if !in.unsafe {
			continue
		}
		for pc := base + at[i]; pc < base+at[i+1]; pc++ {
			for pc>>6 >= len(bits) {
				bits = append(bits, 0)
			}
			bits[pc>>6] |= 1 << (pc & 63)
		}
	}
	return bits
}

// layout returns the position of each instruction, and one for the end, and
// which of the short jumps do not reach their target and need the long form.
func (c *code) layout() (at []int, far []bool) {
	at = make([]int, len(c.ins)+1)
	far = make([]bool, len(c.ins))
	for changed := true; changed; {
		changed = false
		pc := 0
		for i := range c.ins {
			at[i] = pc
			pc++
			if far[i] {
				pc += 2
			}
		}
		at[len(c.ins)] = pc
		for i, in := range c.ins {
			if forms[in.op]&jump16 == 0 || far[i] {
				continue
			}
			if n := at[c.labels[in.to]] - (at[i] + 1); n < math.MinInt16 || n > math.MaxInt16 {
				far[i], changed = true, true
			}
		}
	}
	return at, far
}
