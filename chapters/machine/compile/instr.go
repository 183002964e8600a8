package compile

import (
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"

	"gosched/chapters/machine"
)

// instr emits the code of one SSA instruction.
func (f *fun) instr(instr ssa.Instruction) {
	if v, ok := instr.(ssa.Value); ok && f.viewed(v) != nil {
		return
	}
	if f.folded[instr] {
		if isConstAddr(instr) && f.needsCheck(instr) {
			base, _ := constOffset(instr)
			root, _ := f.chain(base)
			f.op(machine.NILCK, 0, f.use(root), 0, 0)
		}
		return
	}
	switch instr := instr.(type) {
	case *ssa.Phi, *ssa.Extract, *ssa.DebugRef:
	case *ssa.Alloc:
		f.lowerAlloc(instr)
	case *ssa.UnOp:
		f.lowerUnOp(instr)
	case *ssa.BinOp:
		f.lowerBinOp(instr)
	case *ssa.Convert:
		f.lowerConvert(instr)
	case *ssa.Store:
		f.lowerStore(instr.Addr, instr.Val)
	case *ssa.FieldAddr:
		f.lowerConstAddr(instr)
	case *ssa.IndexAddr:
		f.lowerIndexAddr(instr)
	case *ssa.Field:
		f.lowerField(instr)
	case *ssa.Index:
		f.lowerIndex(instr)
	case *ssa.Slice:
		f.lowerSlice(instr)
	case *ssa.MakeSlice:
		f.lowerMakeSlice(instr)
	case *ssa.SliceToArrayPointer:
		f.lowerSliceToArray(instr)
	case *ssa.MakeInterface:
		f.lowerMakeInterface(instr)
	case *ssa.MakeClosure:
		f.lowerMakeClosure(instr)
	case *ssa.MakeMap:
		f.lowerMakeMap(instr)
	case *ssa.Lookup:
		f.lowerLookup(instr)
	case *ssa.MapUpdate:
		f.lowerMapUpdate(instr)
	case *ssa.Range:
		if !isString(instr.X.Type()) {
			f.lowerMapRange(instr)
			break
		}
		d := f.dst(instr)
		f.put(d, instr.X)
		f.putInt(d+2, 0)
	case *ssa.Next:
		f.lowerNext(instr)
	case *ssa.Call:
		f.lowerCall(instr)
	case *ssa.Go:
		f.lowerGo(instr)
	case *ssa.Defer:
		f.lowerDefer(instr)
	case *ssa.RunDefers:
		if f.defers != nil {
			f.setLine(f.returnPos(instr))
			f.runDefers()
		}
	case *ssa.MakeChan:
		f.lowerMakeChan(instr)
	case *ssa.Send:
		f.lowerSend(instr)
	case *ssa.Select:
		f.lowerSelect(instr)
	case *ssa.TypeAssert:
		f.lowerTypeAssert(instr)
	case *ssa.Panic:
		f.lowerPanic(instr)
	case *ssa.Jump:
		f.lowerJump(instr.Block(), instr.Block().Succs[0])
	case *ssa.If:
		f.lowerIf(instr, f.next(instr.Block()))
	case *ssa.Return:
		f.lowerReturn(instr)
	default:
		f.c.refuse(instr.Pos(), "%T is not supported yet", instr)
	}
}

func (f *fun) lowerAlloc(a *ssa.Alloc) {
	t := derefOf(a.Type())
	if s := f.storage[a]; s != nil {
		f.zero(s.at, len(s.shape))
		if v := f.values[a]; v.uses > 0 {
			f.lea(v.at, s.at, len(s.shape))
		}
		return
	}
	f.newObject(f.dst(a), t, a.Pos())
}

// newObject emits dst = new(t).
func (f *fun) newObject(dst slot, t types.Type, pos token.Pos) {
	const most = 1<<31 - 1
	size := sizeOf(t)
	if size > most {
		f.c.refuse(pos, "type %s is too large: %d bytes, at most %d", typeName(t), size, most)
	}
	f.opI(machine.NEW, 0, dst, f.c.layoutOf(t))
}

func (f *fun) lowerMakeInterface(v *ssa.MakeInterface) {
	dst, t := f.dst(v), v.X.Type()
	rt := f.c.types.of(t)
	f.opI(machine.LDI, 0, dst, rt.ID)
	if rt.Direct() {
		f.put(dst+1, v.X)
		return
	}
	if k, ok := rep(v.X).(*ssa.Const); ok {
		f.opI(machine.LDI, 0, dst+1, int(f.c.constAddr(k, t)))
		return
	}
	f.newObject(dst+1, t, v.Pos())
	_, op := accessOps(t)
	f.store(address{slot: dst + 1}, sizeOf(t), op, f.use(v.X))
}

func (f *fun) lowerMakeClosure(v *ssa.MakeClosure) {
	var captured []part
	for _, b := range v.Bindings {
		val, shape := f.binding(b)
		captured = append(captured, part{f.use(val), shape})
	}
	dst := f.dst(v)
	f.newClosure(dst, f.c.index(v.Fn.(*ssa.Function)), captured)
	f.capture(dst, captured)
}

// A part is slots with their shape.
type part struct {
	at    slot
	shape []bool
}

// newClosure emits a new closure, of the function with the given index, with room for
// what it captures.
func (f *fun) newClosure(dst slot, fn int, captured []part) {
	shape := []bool{false} // its entry
	for _, p := range captured {
		shape = append(shape, p.shape...)
	}
	f.opI(machine.NEW, 0, dst, f.c.layout(8*int64(len(shape)), shape))
	entry := f.stemp()
	f.emit(ins{op: machine.LDI, a: int32(entry), b: int32(fn), entry: true})
	f.mem(machine.ST64, 0, dst, entry, 0)
}

// capture stores slots into a closure.
func (f *fun) capture(closure slot, captured []part) {
	off := int64(8)
	for _, p := range captured {
		n, op := 8*int64(len(p.shape)), machine.ST64
		if len(p.shape) == 1 && p.shape[0] {
			op = machine.STP
		}
		f.store(f.reach(address{slot: closure, off: off}), n, op, p.at)
		off += n
	}
}

// lowerNext emits one step of a range over a string.
func (f *fun) lowerNext(v *ssa.Next) {
	if !v.IsString {
		f.lowerMapNext(v)
		return
	}
	it := f.dst(v.Iter.(*ssa.Range))
	var ok, key, val *value
	for _, ref := range *v.Referrers() {
		if e, isExtract := ref.(*ssa.Extract); isExtract {
			*[]**value{&ok, &key, &val}[e.Index] = f.values[e]
		}
	}
	set := func(v *value, src slot) {
		if v != nil {
			f.move(v.at, src, 1)
		}
	}
	more, end := f.newLabel(), f.newLabel()
	f.branch(machine.JLT, it+2, int32(it+1), more)
	if ok != nil {
		f.putInt(ok.at, 0)
	}
	f.jump(end)
	f.bind(more)
	f.move(out(0), it, 3)
	f.block(5)
	f.host(machine.HostDecodeRune)
	set(key, it+2)
	set(val, out(3))
	f.move(it+2, out(4), 1)
	if ok != nil {
		f.putInt(ok.at, 1)
	}
	f.bind(end)
}

func (f *fun) lowerReturn(ret *ssa.Return) {
	var moves []transfer
	var others []pending
	for i, r := range ret.Results {
		f.fetch(f.results[i], r, &moves, &others)
	}
	f.moveAll(moves)
	for _, o := range others {
		f.put(o.dst, o.val)
	}
	f.leave(ret.Block())
}
