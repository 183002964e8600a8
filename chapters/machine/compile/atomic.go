package compile

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"gosched/chapters/machine"
)

// atomics are the functions of sync/atomic that are an instruction. A bool is 0
// or 1 in a slot as in a uint32, which is all that sets loadBool apart from load.
var atomics = map[string]machine.Op{
	"sync/atomic.load":           machine.ALD,
	"sync/atomic.store":          machine.AST,
	"sync/atomic.swap":           machine.ASWAP,
	"sync/atomic.compareAndSwap": machine.ACAS,
	"sync/atomic.add":            machine.AADD,
	"sync/atomic.and":            machine.AAND,
	"sync/atomic.or":             machine.AOR,

	"sync/atomic.loadBool":           machine.ALD,
	"sync/atomic.storeBool":          machine.AST,
	"sync/atomic.swapBool":           machine.ASWAP,
	"sync/atomic.compareAndSwapBool": machine.ACAS,
}

// An atomicCall is a call that is one instruction.
type atomicCall struct {
	op       machine.Op
	variable types.Type // what it is for
}

// findAtomic notes that call is an atomic operation, if it is one. It has no
// frame of its own then, not in a listing either.
func (f *fun) findAtomic(call *ssa.Call) {
	callee := call.Call.StaticCallee()
	if callee == nil {
		return
	}
	if callee = passesTo(callee); callee.Blocks == nil {
		if op := atomics[nameOf(callee)]; op != machine.NOP {
			f.atomics[call] = &atomicCall{op, derefOf(callee.Signature.Params().At(0).Type())}
		}
	}
}

func widthOf(t types.Type) machine.Width {
	switch {
	case hasPointers(t):
		return machine.WidthPointer
	case sizeOf(t) == 8:
		return machine.Width64
	case isUnsigned(t):
		return machine.WidthUint32
	}
	return machine.WidthInt32
}

func (f *fun) lowerAtomic(v *ssa.Call, atomic *atomicCall) {
	args, op := v.Call.Args, atomic.op
	at, width := f.address(args[0], atomic.variable), int(widthOf(atomic.variable))
	switch op {
	case machine.ALD:
		f.mem(op, width, f.dst(v), at.slot, at.off)
	case machine.AST:
		f.mem(op, width, at.slot, f.use(args[1]), at.off)
	case machine.ACAS:
		f.op(op, width, f.dst(v), f.base(at), f.pair(args[1], args[2]))
	default:
		f.op(op, width, f.dst(v), f.base(at), f.use(args[1]))
	}
}

// base returns a slot with the address a, for an instruction that has no
// offset. reach has seen to it that what comes of a nil base faults.
func (f *fun) base(a address) slot {
	if a.off == 0 {
		return a.slot
	}
	t := f.ptemp()
	f.addConst(t, a.slot, a.off)
	return t
}

// pair returns the first of two slots, one after the other, that hold x and y,
// which fill one each.
func (f *fun) pair(x, y ssa.Value) slot {
	i, hasX := f.slotOf(rep(x))
	j, hasY := f.slotOf(rep(y))
	if hasX && hasY && j == i+1 {
		return i
	}
	shape := f.shape1(x.Type(), x.Pos())
	t := f.temps([]bool{shape[0], shape[0]})
	f.put(t, x)
	f.put(t+1, y)
	return t
}
