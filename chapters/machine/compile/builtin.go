package compile

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"gosched/chapters/machine"
)

// stderr is the file descriptor of print and println.
const stderr = 2

func (f *fun) lowerBuiltin(v *ssa.Call, name string) {
	args := v.Call.Args
	switch name {
	case "append":
		f.lowerAppend(v)
	case "copy":
		f.lowerCopy(v)
	case "ssa:deferstack": // each function has only its own
	case "recover":
		f.block(2)
		f.host(machine.HostRecover)
		f.move(f.dst(v), out(0), 2)
	case "delete":
		f.mapKey(machine.HostMapDelete, args[0], args[1])
	case "close":
		f.lowerChan(machine.TrapClosechan, args[0])
	case "len", "cap": // of nil, an array, a channel
		f.lowerLen(v, name)
	case "print", "println":
		text := f.formatPrint(args, name == "println")
		f.move(out(1), text, 2)
		f.putInt(out(0), stderr)
		f.block(4)
		f.op(machine.TRAP, int(machine.TrapWrite), out(0), 0, 0)
	case "min", "max":
		f.lowerMinMax(v, name)
	case "clear":
		f.lowerClear(args[0])
	case "ssa:wrapnilchk":
		f.put(f.dst(v), args[0])
		f.op(machine.NILCK, 0, f.dst(v), 0, 0)
	default:
		f.c.refuse(v.Pos(), "%s is not supported yet", name)
	}
}

// formatPrint emits the formatting of the arguments of print or println and
// returns the slots of the text.
func (f *fun) formatPrint(args []ssa.Value, newline bool) slot {
	n := 2
	for _, a := range args {
		f.put(out(n+1), a)
		f.putInt(out(n), int64(f.c.types.of(a.Type()).ID))
		n += 1 + slotsOf(a.Type())
	}
	f.putInt(out(0), int64(n-2))
	f.putInt(out(1), 0)
	if newline {
		f.putInt(out(1), 1)
	}
	f.block(n + 2)
	f.host(machine.HostPrint)
	return out(n)
}

func (f *fun) lowerLen(v *ssa.Call, name string) {
	switch t := v.Call.Args[0].Type().Underlying().(type) {
	case *types.Slice, *types.Basic:
		x := f.use(v.Call.Args[0])
		if name == "cap" {
			x++
		}
		f.move(f.dst(v), x+1, 1)
	case *types.Array:
		f.putInt(f.dst(v), t.Len())
	case *types.Pointer:
		f.putInt(f.dst(v), t.Elem().Underlying().(*types.Array).Len())
	case *types.Map:
		f.lowerMapLen(f.dst(v), v.Call.Args[0])
	case *types.Chan:
		trap := machine.TrapChanlen
		if name == "cap" {
			trap = machine.TrapChancap
		}
		f.lowerChan(trap, v.Call.Args[0])
		f.move(f.dst(v), out(1), 1)
	default:
		f.c.refuse(v.Pos(), "%s of %s is not supported yet", name, t)
	}
}

// lowerAppend emits
//
//	n := len(s) + number of elements
//	if n > cap(s) { s = growslice(s, n) } // or the first buffer
//	copy(s[len(s):], elements)
func (f *fun) lowerAppend(v *ssa.Call) {
	args := v.Call.Args
	t := v.Type()
	elem := t.Underlying().(*types.Slice).Elem()
	size := sizeOf(elem)
	elems, listed := f.appends[v]

	s := f.use(args[0])
	dst := f.dst(v)
	array, length, room := dst, dst+1, dst+2
	added := slot(-1)
	if listed {
		f.addConst(length, s+1, int64(len(elems)))
	} else {
		added = f.use(args[1]) + 1
		f.op(machine.ADD, 0, length, s+1, added)
	}
	f.move(array, s, 1)
	f.move(room, s+2, 1)
	fits := f.newLabel()
	f.branch(machine.JLEU, length, int32(room), fits)
	if used := f.buffers[v]; used != nil {
		most := stackBuffer / size
		grow := f.newLabel()
		f.branch(machine.JNZ, used.at, 0, grow)
		f.branch(machine.JNEI, s+1, 0, grow)
		f.branch(machine.JGTI, length, int32(most), grow)
		f.opI(machine.NEW, 0, array, f.c.layoutOf(types.NewArray(elem, most)))
		f.putInt(room, most)
		f.putInt(used.at, 1)
		f.jump(fits)
		f.bind(grow)
	}
	f.move(out(0), s, 3)
	f.move(out(3), length, 1)
	f.putInt(out(4), int64(f.c.layoutOf(elem)))
	f.putInt(out(5), 0)
	if hasPointers(elem) {
		f.putInt(out(5), 1)
	}
	f.block(8)
	f.host(machine.HostGrowSlice)
	f.move(array, out(6), 1)
	f.move(room, out(7), 1)
	f.bind(fits)

	if size == 0 || listed && len(elems) == 0 {
		return
	}
	at := f.ptemp()
	f.elem(at, array, s+1, size)
	if listed {
		_, op := accessOps(elem)
		for i, e := range elems {
			a := f.reach(address{slot: at, off: int64(i) * size})
			f.store(a, size, op, f.use(e))
		}
		return
	}
	bytes := added
	if size != 1 {
		bytes = f.stemp()
		f.times(bytes, added, size)
	}
	f.op(machine.COPY, 0, at, added-1, bytes)
}

// times emits dst = n * size.
func (f *fun) times(dst, n slot, size int64) {
	k := f.stemp()
	f.putInt(k, size)
	f.op(machine.MUL, 0, dst, n, k)
}

func (f *fun) lowerCopy(v *ssa.Call) {
	to, from := f.use(v.Call.Args[0]), f.use(v.Call.Args[1])
	size := elemSize(v.Call.Args[0].Type())
	n := f.dst(v)
	enough := f.newLabel()
	f.move(n, to+1, 1)
	f.branch(machine.JLE, n, int32(from+1), enough)
	f.move(n, from+1, 1)
	f.bind(enough)
	bytes := n
	if size != 1 {
		bytes = f.stemp()
		f.times(bytes, n, size)
	}
	f.op(machine.COPY, 0, to, from, bytes)
}

func (f *fun) lowerClear(v ssa.Value) {
	if _, ok := v.Type().Underlying().(*types.Slice); !ok {
		f.lowerMapClear(v)
		return
	}
	s, bytes := f.use(v), f.stemp()
	f.times(bytes, s+1, elemSize(v.Type()))
	f.op(machine.CLR, 0, s, bytes, 0)
}

func (f *fun) lowerMinMax(v *ssa.Call, name string) {
	dst, t := f.dst(v), v.Type()
	n := slotsOf(t)
	f.put(dst, v.Call.Args[0])
	for _, x := range v.Call.Args[1:] {
		switch {
		case isFloat(t):
			f.minMaxFloat(dst, x, name)
			continue
		case isString(t):
			f.minMaxString(dst, x, name)
			continue
		}
		keep := f.newLabel()
		y := f.use(x)
		a, b := dst, y // keep dst if a <= b
		if name == "max" {
			a, b = y, dst
		}
		op := machine.JLE
		if isUnsigned(t) {
			op = machine.JLEU
		}
		f.branch(op, a, int32(b), keep)
		f.move(dst, y, n)
		f.bind(keep)
	}
}

func (f *fun) minMaxFloat(dst slot, x ssa.Value, name string) {
	t := x.Type()
	f.move(out(0), dst, 1)
	f.put(out(1), x)
	f.putInt(out(2), sizeOf(t))
	f.block(4)
	if name == "min" {
		f.host(machine.HostMinFloat)
	} else {
		f.host(machine.HostMaxFloat)
	}
	f.move(dst, out(3), 1)
}

func (f *fun) minMaxString(dst slot, x ssa.Value, name string) {
	f.move(out(0), dst, 2)
	f.put(out(2), x)
	f.block(5)
	f.host(machine.HostCompareStrings)
	keep := f.newLabel()
	op := machine.JLEI
	if name == "max" {
		op = machine.JGEI
	}
	f.branch(op, out(4), 0, keep)
	f.put(dst, x)
	f.bind(keep)
}
