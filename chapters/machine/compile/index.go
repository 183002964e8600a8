package compile

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"gosched/chapters/machine"
)

// elemSize returns the size of the elements of a slice type, -1 if t is none.
func elemSize(t types.Type) int64 {
	if s, ok := t.Underlying().(*types.Slice); ok {
		return sizeOf(s.Elem())
	}
	return -1
}

// lowerConstAddr emits dst = base + constant.
func (f *fun) lowerConstAddr(v ssa.Instruction) {
	base, n := constOffset(v)
	root, off := f.chain(base)
	off += n
	dst := f.dst(v.(ssa.Value))
	if alloc, ok := root.(*ssa.Alloc); ok && f.storage[alloc] != nil {
		f.lea(dst, f.storage[alloc].at+slot(off/8), len(f.storage[alloc].shape)-int(off/8))
		if off%8 != 0 {
			f.addConst(dst, dst, off%8)
		}
		return
	}
	if g, ok := root.(*ssa.Global); ok {
		f.opI(machine.LDI, 0, dst, int(f.c.globalAddr(g)+off))
		return
	}
	at := f.use(root)
	if !isNonNil(root) {
		f.op(machine.NILCK, 0, at, 0, 0)
	}
	f.addConst(dst, at, off)
}

func (f *fun) lowerIndexAddr(v *ssa.IndexAddr) {
	if isConstAddr(v) {
		f.lowerConstAddr(v)
		return
	}
	dst := f.dst(v)
	if p, ok := v.X.Type().Underlying().(*types.Pointer); ok {
		base := f.use(v.X)
		if !isNonNil(v.X) {
			f.op(machine.NILCK, 0, base, 0, 0)
		}
		index := f.use(v.Index)
		length := f.stemp()
		f.putInt(length, p.Elem().Underlying().(*types.Array).Len())
		f.op(machine.IDXCK, unsignedX(v.Index.Type()), index, length, 0)
		f.elem(dst, base, index, sizeOf(derefOf(v.Type())))
		return
	}
	f.sliceElem(dst, f.use(v.X), v.Index, sizeOf(derefOf(v.Type())))
}

// unsignedX is the x field of IDXCK for an index of type t.
func unsignedX(t types.Type) int {
	if isUnsigned(t) && sizeOf(t) == 8 {
		return 1
	}
	return 0
}

// sliceElem emits dst = the address of the element at index of the slice or
// string in the slots at x.
func (f *fun) sliceElem(dst, x slot, index ssa.Value, size int64) {
	i := f.use(index)
	if unsignedX(index.Type()) == 0 && size <= 255 {
		f.op(machine.ELEMS, int(size), dst, x, i)
		return
	}
	f.op(machine.IDXCK, unsignedX(index.Type()), i, x+1, 0)
	f.elem(dst, x, i, size)
}

// elem emits dst = base + index*size.
func (f *fun) elem(dst, base, index slot, size int64) {
	if size <= 255 {
		f.op(machine.ELEM, int(size), dst, base, index)
		return
	}
	n := f.stemp()
	f.putInt(n, size)
	f.op(machine.MUL, 0, n, n, index)
	f.op(machine.ADD, 0, dst, base, n)
}

// lowerField emits a field of a struct in slots that does not fill slots.
func (f *fun) lowerField(v *ssa.Field) {
	x := f.use(v.X)
	f.loadPart(f.dst(v), v.Type(), x, fieldOffset(v.X.Type(), v.Field))
}

// loadPart loads a part of type t, at byte off of the object in the slots at x.
func (f *fun) loadPart(dst slot, t types.Type, x slot, off int64) {
	op, _ := accessOps(t)
	base := f.ptemp()
	f.lea(base, x+slot(off/8), int((off%8+sizeOf(t)+7)/8))
	f.load(dst, sizeOf(t), op, address{slot: base, off: off % 8})
}

// lowerIndex emits an element of a string or of an array in slots.
func (f *fun) lowerIndex(v *ssa.Index) {
	dst, t := f.dst(v), v.Type()
	op, _ := accessOps(t)
	if isString(v.X.Type()) {
		at := f.ptemp()
		f.sliceElem(at, f.use(v.X), v.Index, 1)
		f.mem(machine.LD8U, 0, dst, at, 0)
		return
	}
	x, size := f.use(v.X), sizeOf(t)
	if isIndexOf(v.Index, v.X.Type()) {
		i, _ := constInt(v.Index)
		f.loadPart(dst, t, x, i*size)
		return
	}
	index, length, at := f.use(v.Index), f.stemp(), f.ptemp()
	f.putInt(length, v.X.Type().Underlying().(*types.Array).Len())
	f.op(machine.IDXCK, unsignedX(v.Index.Type()), index, length, 0)
	f.lea(at, x, slotsOf(v.X.Type()))
	f.elem(at, at, index, size)
	f.load(dst, size, op, address{slot: at})
}

func (f *fun) lowerSlice(v *ssa.Slice) {
	dst := f.dst(v)
	if _, ok := v.X.(*ssa.Alloc); ok && f.sliceOfNew(v) {
		return
	}
	// The block of operands; see SliceFlags.
	flags := 0
	bound := func(i, flag int, x ssa.Value) {
		if x != nil {
			f.put(out(i), x)
			flags |= flag
		}
	}
	size := int64(1)
	switch t := v.X.Type().Underlying().(type) {
	case *types.Pointer:
		a := t.Elem().Underlying().(*types.Array)
		size = sizeOf(a.Elem())
		flags |= machine.SliceArray
		f.put(out(0), v.X)
		if !isNonNil(v.X) {
			f.op(machine.NILCK, 0, out(0), 0, 0)
		}
		f.putInt(out(1), a.Len())
		f.putInt(out(2), a.Len())
	case *types.Slice:
		size = sizeOf(t.Elem())
		f.put(out(0), v.X)
	default:
		flags |= machine.SliceString
		f.put(out(0), v.X)
	}
	bound(3, machine.SliceLow, v.Low)
	bound(4, machine.SliceHigh, v.High)
	bound(5, machine.SliceMax, v.Max)
	f.putInt(out(6), size)
	f.block(7)
	f.op(machine.SLICE, flags, dst, 0, out(0))
}

// sliceOfNew emits a slice of a new array if its bounds are constants that fit.
func (f *fun) sliceOfNew(v *ssa.Slice) bool {
	a := derefOf(v.X.Type()).Underlying().(*types.Array)
	ok := true
	bound := func(x ssa.Value, absent int64) int64 {
		if x == nil {
			return absent
		}
		n, isConst := constInt(x)
		ok = ok && isConst
		return n
	}
	low, high := bound(v.Low, 0), bound(v.High, a.Len())
	limit := bound(v.Max, a.Len())
	if !ok || low < 0 || low > high || high > limit || limit > a.Len() {
		return false
	}
	dst := f.dst(v)
	f.put(dst, v.X)
	if low < limit { // an empty slice does not point beyond its array
		f.addConst(dst, dst, low*sizeOf(a.Elem()))
	}
	f.putInt(dst+1, high-low)
	f.putInt(dst+2, limit-low)
	return true
}

func (f *fun) lowerMakeSlice(v *ssa.MakeSlice) {
	dst := f.dst(v)
	elem := f.c.layoutOf(v.Type().Underlying().(*types.Slice).Elem())
	if v.Len == v.Cap && elem < maxSlots {
		n := f.use(v.Len)
		f.mem(machine.NEWN, 0, dst, n, int64(elem))
		f.move(dst+1, n, 1)
		f.move(dst+2, n, 1)
		return
	}
	f.arguments([]ssa.Value{v.Len, v.Cap}, 0)
	f.putInt(out(2), int64(elem))
	f.block(4)
	f.host(machine.HostMakeSlice)
	f.move(dst, out(3), 1)
	f.move(dst+1, out(0), 2)
}

func (f *fun) lowerSliceToArray(v *ssa.SliceToArrayPointer) {
	f.arguments([]ssa.Value{v.X}, 0)
	f.putInt(out(3), derefOf(v.Type()).Underlying().(*types.Array).Len())
	f.block(5)
	f.host(machine.HostSliceToArray)
	f.move(f.dst(v), out(4), 1)
}
