package compile

import (
	"go/types"
	"math"

	"golang.org/x/tools/go/ssa"

	"gosched/chapters/machine"
)

// An address is where a load or store goes: the byte at off in a variable of
// the frame or from the address that a slot holds.
type address struct {
	slot slot // of the variable, or of the address
	off  int64
	// frame is set if the slots of the variable can be used as they are.
	frame bool
	// nilable is set if the base may be nil.
	nilable bool
}

// address returns how to access a value of type t at v.
func (f *fun) address(v ssa.Value, t types.Type) address {
	root, off := f.chain(v)
	if alloc, ok := root.(*ssa.Alloc); ok {
		if s := f.storage[alloc]; s != nil && fillsSlots(t, off, sizeOf(derefOf(alloc.Type()))) {
			return address{slot: s.at + slot(off/8), frame: true}
		}
	}
	if g, ok := root.(*ssa.Global); ok {
		base := f.ptemp()
		f.opI(machine.LDI, 0, base, int(f.c.globalAddr(g)+off))
		return address{slot: base}
	}
	return f.reach(address{slot: f.use(root), off: off, nilable: !isNonNil(root)})
}

// reach makes sure that a's offset fits into an instruction and that a nil
// base faults.
func (f *fun) reach(a address) address {
	if a.nilable && a.off >= machine.NilPage {
		f.op(machine.NILCK, 0, a.slot, 0, 0)
	}
	if a.off > math.MaxUint16 {
		base, off := f.ptemp(), f.stemp()
		f.putInt(off, a.off)
		f.op(machine.ADD, 0, base, a.slot, off)
		return address{slot: base}
	}
	return a
}

// accessOps returns how values of t are loaded and stored.
func accessOps(t types.Type) (load, store machine.Op) {
	if sizeOf(t) == 8 && hasPointers(t) {
		return machine.LD64, machine.STP
	}
	if isAggregate(t) {
		return machine.LDB, machine.STB
	}
	unsigned := !isInteger(t) || isUnsigned(t)
	switch sizeOf(t) {
	case 1:
		if unsigned {
			return machine.LD8U, machine.ST8
		}
		return machine.LD8S, machine.ST8
	case 2:
		if unsigned {
			return machine.LD16U, machine.ST16
		}
		return machine.LD16S, machine.ST16
	case 4:
		if unsigned {
			return machine.LD32U, machine.ST32
		}
		return machine.LD32S, machine.ST32
	case 8:
		return machine.LD64, machine.ST64
	}
	return machine.LDB, machine.STB
}

// maxBytes is the size up to which LDB and STB move an object.
const maxBytes = 255

// load loads size bytes. op is the operation for a scalar.
func (f *fun) load(dst slot, size int64, op machine.Op, a address) {
	switch {
	case size == 0:
		if a.nilable {
			f.op(machine.NILCK, 0, a.slot, 0, 0)
		}
	case a.frame:
		f.move(dst, a.slot, int((size+7)/8))
	case size > maxBytes:
		if size%8 != 0 {
			f.zero(dst+slot(size/8), 1)
		}
		to, n := f.ptemp(), f.stemp()
		f.lea(to, dst, int((size+7)/8))
		f.putInt(n, size)
		f.op(machine.COPY, 0, to, f.exact(a, size), n)
	case size > 8 || op == machine.LDB:
		if size == 8 {
			f.mem(machine.LD64, 0, dst, a.slot, a.off)
		} else {
			f.mem(machine.LDB, int(size), dst, a.slot, a.off)
		}
	default:
		f.mem(op, 0, dst, a.slot, a.off)
	}
}

// store stores size bytes from the slots at src.
func (f *fun) store(a address, size int64, op machine.Op, src slot) {
	switch {
	case size == 0:
		if a.nilable {
			f.op(machine.NILCK, 0, a.slot, 0, 0)
		}
	case a.frame:
		f.move(a.slot, src, int((size+7)/8))
	case size > maxBytes:
		from, n := f.ptemp(), f.stemp()
		f.lea(from, src, int((size+7)/8))
		f.putInt(n, size)
		f.op(machine.COPY, 0, f.exact(a, size), from, n)
	case size == 8 && op == machine.STB:
		f.mem(machine.ST64, 0, a.slot, src, a.off)
	case size > 8 || op == machine.STB:
		f.mem(machine.STB, int(size), a.slot, src, a.off)
	default:
		f.mem(op, 0, a.slot, src, a.off)
	}
}

// exact returns a slot with the address a itself, of an object of size bytes.
func (f *fun) exact(a address, size int64) slot {
	if a.frame {
		t := f.ptemp()
		f.lea(t, a.slot, int((size+7)/8))
		return t
	}
	if a.nilable {
		f.op(machine.NILCK, 0, a.slot, 0, 0)
	}
	if a.off == 0 {
		return a.slot
	}
	t := f.ptemp()
	f.addConst(t, a.slot, a.off)
	return t
}

// lea emits dst = the address of n slots from s on.
func (f *fun) lea(dst, s slot, n int) {
	if n > math.MaxUint8 {
		n = 0
	}
	f.opI(machine.LEA, n, dst, int(s))
}

// addConst sets dst = base + n.
func (f *fun) addConst(dst, base slot, n int64) {
	switch {
	case n == 0:
		f.move(dst, base, 1)
	case n == int64(int16(n)):
		f.mem(machine.ADDI, 0, dst, base, n)
	default:
		t := f.stemp()
		f.putInt(t, n)
		f.op(machine.ADD, 0, dst, base, t)
	}
}

// lowerLoad emits dst = *addr.
func (f *fun) lowerLoad(dst slot, addr ssa.Value, t types.Type) {
	op, _ := accessOps(t)
	f.load(dst, sizeOf(t), op, f.address(addr, t))
}

// lowerStore emits *addr = val.
func (f *fun) lowerStore(addr, val ssa.Value) {
	t := val.Type()
	size := sizeOf(t)
	_, op := accessOps(t)
	a := f.address(addr, t)
	if k, ok := rep(val).(*ssa.Const); ok && k.Value == nil && size > 8 {
		f.clear(a, size)
		return
	}
	if a.frame && size > 0 {
		f.put(a.slot, val)
		return
	}
	f.store(a, size, op, f.use(val))
}

// clear zeroes size bytes at a.
func (f *fun) clear(a address, size int64) {
	if a.frame {
		f.zero(a.slot, int((size+7)/8))
		return
	}
	n := f.stemp()
	f.putInt(n, size)
	f.op(machine.CLR, 0, f.exact(a, size), n, 0)
}
