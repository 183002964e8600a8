package compile

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"gosched/chapters/machine"
)

// The runtime moves the values of channels through their addresses. They lie in
// slots of the frame, whose low bytes are the value as it lies in memory. Both
// the addresses and the blocks of arguments that hold them are temporary slots,
// not outgoing ones, so that they follow a stack that moves, also while the
// goroutine waits.

// addressOfValue emits the address of the slots that hold v. A value of no size
// has none.
func (f *fun) addressOfValue(dst slot, v ssa.Value) {
	if sizeOf(v.Type()) == 0 {
		f.putInt(dst, 0)
		return
	}
	f.lea(dst, f.use(v), slotsOf(v.Type()))
}

// addressOfResult emits the address of the slots of v for a value to come, 0 if
// it is not wanted. What a small value leaves of its last slot must be zero.
func (f *fun) addressOfResult(dst slot, v *value) {
	if v == nil || v.uses == 0 || len(v.shape) == 0 {
		f.putInt(dst, 0)
		return
	}
	f.zero(v.at, len(v.shape))
	f.lea(dst, v.at, len(v.shape))
}

// received extends what the runtime has stored in the low bytes of v.
func (f *fun) received(v *value, t types.Type) {
	if v != nil && v.uses > 0 && isInteger(t) && !isUnsigned(t) {
		f.narrow(v.at, t)
	}
}

// extracts returns the values that hold the i-th part of tuple v: none if nothing
// wants it, several if the program asks for it in several places.
func (f *fun) extracts(v ssa.Value, i int) (parts []*value) {
	for _, ref := range *v.Referrers() {
		if e, ok := ref.(*ssa.Extract); ok && e.Index == i {
			parts = append(parts, f.values[e])
		}
	}
	return parts
}

// extract returns the value that holds the i-th part of tuple v, or nil, where
// there is at most one.
func (f *fun) extract(v ssa.Value, i int) *value {
	parts := f.extracts(v, i)
	switch len(parts) {
	case 0:
		return nil
	case 1:
		return parts[0]
	}
	f.c.bug("part %d of %s is extracted twice", i, v.Name())
	return nil
}

// setExtracts copies a slot to all that want the i-th part of tuple v.
func (f *fun) setExtracts(v ssa.Value, i int, src slot) {
	for _, part := range f.extracts(v, i) {
		f.move(part.at, src, 1)
	}
}

func elemOf(ch ssa.Value) types.Type { return ch.Type().Underlying().(*types.Chan).Elem() }

func (f *fun) lowerMakeChan(v *ssa.MakeChan) {
	f.put(out(1), v.Size)
	f.putInt(out(0), int64(f.c.types.of(elemOf(v)).ID))
	f.block(3)
	f.op(machine.TRAP, int(machine.TrapMakechan), out(0), 0, 0)
	f.move(f.dst(v), out(2), 1)
}

func (f *fun) lowerSend(v *ssa.Send) {
	args := f.temps([]bool{true, true})
	f.put(args, v.Chan)
	f.addressOfValue(args+1, v.X)
	f.op(machine.TRAP, int(machine.TrapChansend), args, 0, 0)
}

func (f *fun) lowerRecv(v *ssa.UnOp) {
	val := f.values[v]
	if v.CommaOk {
		val = f.extract(v, 0)
	}
	args := f.temps([]bool{true, true, false})
	f.put(args, v.X)
	f.addressOfResult(args+1, val)
	f.op(machine.TRAP, int(machine.TrapChanrecv), args, 0, 0)
	f.received(val, elemOf(v.X))
	if v.CommaOk {
		f.setExtracts(v, 1, args+2)
	}
}

// lowerSelect emits a select of any number of cases. The results are the index
// of the case that was chosen, whether a value came, and the value of each case
// that receives.
func (f *fun) lowerSelect(v *ssa.Select) {
	if len(v.States) == 0 && !v.Blocking {
		for _, index := range f.extracts(v, 0) {
			f.putInt(index.at, -1)
		}
		return
	}
	var shape []bool
	for range v.States {
		shape = append(shape, true, true, false, false)
	}
	cases := f.temps(shape)
	at := cases
	var vals []*value
	for _, st := range v.States {
		f.put(at, st.Chan)
		if st.Dir == types.SendOnly {
			f.addressOfValue(at+1, st.Send)
			f.putInt(at+2, 1)
		} else {
			val := f.extract(v, 2+len(vals))
			f.addressOfResult(at+1, val)
			f.putInt(at+2, 0)
			vals = append(vals, val)
		}
		f.putInt(at+3, 0)
		at += 4
	}
	args := f.temps([]bool{true, false, false, false, false})
	f.lea(args, cases, len(shape))
	f.putInt(args+1, int64(len(v.States)))
	f.putInt(args+2, 0)
	if v.Blocking {
		f.putInt(args+2, 1)
	}
	f.op(machine.TRAP, int(machine.TrapSelectgo), args, 0, 0)
	for i, val := range vals {
		f.received(val, v.Type().(*types.Tuple).At(2+i).Type())
	}
	f.setExtracts(v, 0, args+3)
	f.setExtracts(v, 1, args+4)
}

// lowerChan emits close, len and cap of a channel.
func (f *fun) lowerChan(trap machine.Trap, ch ssa.Value) {
	f.put(out(0), ch)
	f.block(2)
	f.op(machine.TRAP, int(trap), out(0), 0, 0)
}
