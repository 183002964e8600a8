package compile

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"math"
	"slices"

	"golang.org/x/tools/go/ssa"

	"gosched/chapters/machine"
)

// lower emits the code of the function, with its prologue.
func (f *fun) lower() {
	f.now = int32(f.line)
	f.emit(ins{op: machine.ENTER})
	f.loadFreeVars()
	for _, used := range f.buffered {
		f.putInt(used.at, 0)
	}
	if f.defers != nil {
		f.putInt(f.defers.at, 0)
		f.recover = f.newLabel()
	}
	f.lowerBlocks()
}

// lowerBlocks emits the code of the blocks.
func (f *fun) lowerBlocks() {
	f.starts = make([]label, len(f.blocks))
	for i := range f.blocks {
		f.starts[i] = f.newLabel()
	}
	loops := emptyLoops(f.sf)
	for i, b := range f.blocks {
		f.bind(f.starts[i])
		f.setLine(loops[b])
		f.passing = false // arguments are computed in the block of their call
		if b == f.sf.Recover {
			f.bind(f.recover)
			f.runDefers()
		}
		for _, instr := range b.Instrs {
			f.tick++
			f.setLine(position(instr))
			f.c.at = instr
			f.instr(instr)
		}
	}
	for _, stub := range f.stubs {
		stub()
	}
}

// emptyLoops returns the places of the blocks of fn that are a for {}: their only instruction
// is a jump to itself, which has no place of its own.
func emptyLoops(fn *ssa.Function) map[*ssa.BasicBlock]token.Pos {
	var places []token.Pos
	if fn.Syntax() != nil {
		ast.Inspect(fn.Syntax(), func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.FuncLit: // a function of its own
				return n == fn.Syntax()
			case *ast.ForStmt:
				if n.Cond == nil && n.Post == nil && len(n.Body.List) == 0 {
					places = append(places, n.For)
				}
			}
			return true
		})
	}
	loops := map[*ssa.BasicBlock]token.Pos{}
	for _, b := range fn.Blocks { // in the order of the source
		if len(places) > 0 && b.Comment == "for.body" && len(b.Instrs) == 1 && len(b.Succs) == 1 && b.Succs[0] == b {
			loops[b], places = places[0], places[1:]
		}
	}
	return loops
}

// setLine makes pos the line of the instructions that follow. Instructions
// without a position belong to what came before.
func (f *fun) setLine(pos token.Pos) {
	if pos.IsValid() {
		f.now = int32(f.c.fset.Position(pos).Line)
	}
}

// position returns the place of an instruction in the source. What may fault but
// has none of its own, such as the load of an implicit receiver, has the place
// of what it is for.
func position(instr ssa.Instruction) token.Pos {
	pos := instr.Pos()
	switch instr.(type) {
	case *ssa.UnOp, *ssa.FieldAddr, *ssa.IndexAddr, *ssa.SliceToArrayPointer:
		refs := *instr.(ssa.Value).Referrers()
		for i := 0; i < len(refs) && !pos.IsValid(); i++ {
			if _, ok := refs[i].(*ssa.Phi); !ok && refs[i].Block() == instr.Block() {
				pos = position(refs[i])
			}
		}
	}
	return pos
}

// loadFreeVars copies what a closure captured into slots.
func (f *fun) loadFreeVars() {
	var closure slot = -1
	off := int64(8)
	for _, p := range f.sf.FreeVars {
		v := f.values[p]
		n := len(v.shape)
		if v.uses > 0 && n > 0 {
			if closure < 0 {
				closure = f.ptemp()
				f.op(machine.CTXT, 0, closure, 0, 0)
			}
			f.loadSlots(v.at, n, closure, off)
		}
		off += 8 * int64(n)
	}
}

// loadSlots loads n slots from memory.
func (f *fun) loadSlots(dst slot, n int, base slot, off int64) {
	f.load(dst, int64(n)*8, machine.LD64, address{slot: base, off: off})
}

// ptemp and stemp return a slot for the current instruction, for an address or
// for anything else.
func (f *fun) ptemp() slot { return f.temps([]bool{true}) }

func (f *fun) stemp() slot { return f.temps([]bool{false}) }

func (f *fun) temps(shape []bool) slot {
	return slot(regTemp | f.temp.take(shape, []span{{2 * f.tick, 2 * f.tick}}))
}

// use returns the slots that hold v, after loading it into temporary ones if
// it has none.
func (f *fun) use(v ssa.Value) slot {
	base, off := f.view(v)
	if at, ok := f.slotOf(base); ok {
		return at + slot(off)
	}
	t := f.temps(f.shape1(base.Type(), f.sf.Pos()))
	f.put(t, base)
	return t
}

// slotOf returns the slots of a value that has some.
func (f *fun) slotOf(v ssa.Value) (slot, bool) {
	if p, ok := v.(*ssa.Parameter); ok {
		return f.param(p), true
	}
	val := f.values[v]
	if val == nil {
		return 0, false
	}
	if !val.placed {
		f.c.bug("%s has no slot", v.Name())
	}
	return val.at, true
}

func (f *fun) param(p *ssa.Parameter) slot { return f.params[slices.Index(f.sf.Params, p)] }

// dst returns the slots where the result of the current instruction goes.
func (f *fun) dst(v ssa.Value) slot { return f.values[v].at }

// put loads v into the slots at dst.
func (f *fun) put(dst slot, v ssa.Value) {
	base, off := f.view(v)
	if at, ok := f.slotOf(base); ok {
		f.move(dst, at+slot(off), slotsOf(v.Type()))
		return
	}
	switch v := base.(type) {
	case *ssa.Const:
		f.putConst(dst, v)
	case *ssa.Global:
		f.opI(machine.LDI, 0, dst, int(f.c.globalAddr(v)))
	case *ssa.Function:
		f.opI(machine.LDI, 0, dst, int(f.c.closureOf(v)))
	default:
		f.c.bug("no way to load %s (%T)", v.Name(), v)
	}
}

// move copies n slots.
func (f *fun) move(dst, src slot, n int) {
	if dst == src {
		return
	}
	const most = 255
	if n <= 1 {
		if n == 1 {
			f.op(machine.MOV, 0, dst, src, 0)
		}
		return
	}
	if dst > src && dst < src+slot(n) { // from the end, so as not to overwrite
		for ; n > most; n -= most {
			f.op(machine.MOVN, most, dst+slot(n-most), src+slot(n-most), 0)
		}
		f.op(machine.MOVN, n, dst, src, 0)
		return
	}
	for ; n > most; n -= most {
		f.op(machine.MOVN, most, dst, src, 0)
		dst, src = dst+most, src+most
	}
	f.op(machine.MOVN, n, dst, src, 0)
}

// A transfer is a copy of n slots of a value of a type.
type transfer struct {
	dst, src slot
	n        int
	t        types.Type
}

// moveAll makes all transfers at once: none sees what another wrote.
func (f *fun) moveAll(ts []transfer) {
	ts = slices.DeleteFunc(ts, func(t transfer) bool { return t.n == 0 || t.dst == t.src })
	overlap := func(a slot, n int, b slot, m int) bool { return a < b+slot(m) && b < a+slot(n) }
	for len(ts) > 0 {
		// A transfer whose destination nothing else still reads can go.
		ready := slices.IndexFunc(ts, func(t transfer) bool {
			return !slices.ContainsFunc(ts, func(u transfer) bool {
				return u != t && overlap(t.dst, t.n, u.src, u.n)
			})
		})
		if ready >= 0 {
			t := ts[ready]
			f.move(t.dst, t.src, t.n)
			ts = slices.Delete(ts, ready, ready+1)
			continue
		}
		// All wait for each other: save what the first one would overwrite.
		t := &ts[0]
		saved := f.temps(f.classes(*t))
		f.move(saved, t.src, t.n)
		t.src = saved
	}
}

// classes returns the classes of the slots that are copied. Those of outgoing slots
// depend on the value.
func (f *fun) classes(t transfer) []bool {
	var all []bool
	switch t.src.region() {
	case regLocal:
		all = f.local.ptr
	case regTemp:
		all = f.temp.ptr
	case regArg:
		all = f.shape
	default:
		return shapeOf(t.t)
	}
	return slices.Clone(all[t.src.index() : t.src.index()+t.n])
}

// putConst loads constant c.
func (f *fun) putConst(dst slot, c *ssa.Const) {
	t := c.Type()
	switch {
	case c.Value == nil: // the zero value
		f.zero(dst, slotsOf(t))
	case isString(t):
		s := constant.StringVal(c.Value)
		f.opI(machine.LDI, 0, dst, int(f.c.stringAddr(s)))
		f.putInt(dst+1, int64(len(s)))
	default:
		f.putInt(dst, f.c.constBits(c))
	}
}

// putInt loads the number n.
func (f *fun) putInt(dst slot, n int64) {
	if n == int64(int32(n)) {
		f.opI(machine.LDI, 0, dst, int(n))
	} else {
		f.opI(machine.LDK, 0, dst, f.c.constant(uint64(n)))
	}
}

func (f *fun) zero(dst slot, n int) {
	switch n {
	case 0:
	case 1:
		f.opI(machine.LDI, 0, dst, 0)
	default:
		f.opI(machine.ZERO, 0, dst, n)
	}
}

// constBits returns the slot of a constant that fills one.
func (c *compiler) constBits(k *ssa.Const) int64 {
	if k.Value == nil {
		return 0
	}
	t := k.Type()
	switch {
	case hasInfo(t, types.IsBoolean):
		if constant.BoolVal(k.Value) {
			return 1
		}
		return 0
	case isFloat(t):
		v, _ := constant.Float64Val(constant.ToFloat(k.Value))
		if basicOf(t).Kind() == types.Float32 {
			v32, _ := constant.Float32Val(constant.ToFloat(k.Value))
			return int64(math.Float32bits(v32))
		}
		return int64(math.Float64bits(v))
	case isInteger(t):
		v := constant.ToInt(k.Value)
		n, ok := constant.Int64Val(v)
		if !ok {
			u, _ := constant.Uint64Val(v)
			n = int64(u)
		}
		return extend(n, t)
	}
	c.bug("constant %s of type %s", k, t)
	return 0
}

// extend narrows n to the integer type t and extends it again, as slots have it.
func extend(n int64, t types.Type) int64 {
	bits := 64 - 8*sizeOf(t)
	if isUnsigned(t) {
		return int64(uint64(n) << bits >> bits)
	}
	return n << bits >> bits
}

// small returns the value of v if it is a constant integer that fits into the
// 16-bit operand of an instruction.
func (f *fun) small(v ssa.Value) (int16, bool) {
	k, ok := rep(v).(*ssa.Const)
	if !ok || !isWord(k.Type()) {
		return 0, false
	}
	n := f.c.constBits(k)
	return int16(n), n == int64(int16(n))
}

// A pending is a value that must be brought into dst.
type pending struct {
	dst slot
	val ssa.Value
}

// fetch notes that v must be brought into dst, as a copy between slots or as
// something else.
func (f *fun) fetch(dst slot, v ssa.Value, moves *[]transfer, others *[]pending) {
	base, off := f.view(v)
	if at, ok := f.slotOf(base); ok {
		if at+slot(off) != dst {
			*moves = append(*moves, transfer{dst, at + slot(off), slotsOf(v.Type()), v.Type()})
		}
		return
	}
	*others = append(*others, pending{dst, v})
}
