package compile

import (
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"

	"gosched/chapters/machine"
)

// An interface is a type id and a data word. Its methods are found at each call
// by the machine, in Type.Methods: functions that take the data word as their
// receiver. Which methods a program may call this way, and which types it puts
// into interfaces, is known when all its functions are compiled; compiling
// those methods may add to both.

// wantMethods gives ids to methods without parameters that return a string, in
// the order of machine.MethodError and the following.
func (c *compiler) wantMethods(names ...string) {
	result := types.NewTuple(types.NewVar(token.NoPos, nil, "", types.Typ[types.String]))
	sig := types.NewSignatureType(nil, nil, nil, nil, result, false)
	for _, name := range names {
		c.types.methodID(types.NewFunc(token.NoPos, nil, name, sig))
	}
}

// addMethods gives each type the methods that may be called through an
// interface. It reports whether there were any that it did not have yet.
func (c *compiler) addMethods() bool {
	more := false
	for i := 1; i < len(c.types.all); i++ {
		rt, t := c.types.all[i], c.types.source[i]
		if types.IsInterface(t) {
			continue
		}
		set := c.ssa.MethodSets.MethodSet(t)
		if set.Len() == 0 {
			continue
		}
		for id := 1; id <= len(c.types.wanted); id++ {
			want := c.types.wanted[id-1]
			if _, ok := rt.Methods[id]; ok {
				continue
			}
			sel := set.Lookup(want.Pkg(), want.Name())
			if sel == nil || methodKey(sel.Obj().(*types.Func)) != methodKey(want) {
				continue
			}
			if rt.Methods == nil {
				rt.Methods = map[int]int{}
			}
			rt.Methods[id] = c.methodOf(rt, t, sel)
			c.closureAt(rt.Methods[id])
			more = true
		}
	}
	return more
}

// methodOf returns the index of the function of a method of type t that takes
// the data word of an interface as its receiver.
func (c *compiler) methodOf(rt *machine.Type, t types.Type, sel *types.Selection) int {
	fn := c.ssa.MethodValue(sel)
	if rt.Direct() {
		return c.index(fn)
	}
	sig := sel.Type().(*types.Signature)
	w := newFun(c, nil, &code{})
	w.name, w.plain = funcName(fn), true
	file, line := c.place(fn.Pos())
	w.file, w.now = file, int32(line)
	args, results := tupleSlots(sig.Params()), tupleSlots(sig.Results())
	w.shape = append(w.shape, true)
	for _, tuple := range []*types.Tuple{sig.Params(), sig.Results()} {
		for i := range tuple.Len() {
			w.shape = append(w.shape, shapeOf(tuple.At(i).Type())...)
		}
	}
	w.args = 1 + args

	w.emit(ins{op: machine.ENTER})
	n := slotsOf(t)
	w.block(n + args + results)
	op, _ := accessOps(t)
	w.load(out(0), sizeOf(t), op, address{slot: arg(0)})
	w.move(out(n), arg(1), args)
	w.opI(machine.CALL, 0, 0, c.index(fn))
	w.move(arg(1+args), out(n+args), results)
	w.emit(ins{op: machine.RET})
	return c.add(w.code)
}

// method returns a slot with the closure of the method that call calls.
func (f *fun) method(call *ssa.CallCommon) slot {
	f.move(out(0), f.use(call.Value), 1)
	f.putInt(out(1), int64(f.c.types.methodID(call.Method)))
	f.block(3)
	f.host(machine.HostMethod)
	closure := f.ptemp()
	f.move(closure, out(2), 1)
	return closure
}

// lowerInvoke emits the call of an interface's method.
func (f *fun) lowerInvoke(v *ssa.Call) {
	closure := f.method(&v.Call)
	f.move(out(0), f.use(v.Call.Value)+1, 1)
	n := f.arguments(v.Call.Args, 1)
	f.block(n + tupleSlots(v.Call.Signature().Results()))
	f.op(machine.CALLC, 0, closure, 0, 0)
	f.takeResults(v, n)
}

func (f *fun) lowerTypeAssert(v *ssa.TypeAssert) {
	var val, ok *value
	if v.CommaOk {
		for _, ref := range *v.Referrers() {
			if e, isExtract := ref.(*ssa.Extract); isExtract {
				*[]**value{&val, &ok}[e.Index] = f.values[e]
			}
		}
	} else {
		val = f.values[v]
	}
	x, t := f.use(v.X), v.AssertedType
	rt := f.c.types.of(t)
	is, end := f.newLabel(), f.newLabel()
	if types.IsInterface(t) {
		f.move(out(0), x, 1)
		f.putInt(out(1), int64(rt.ID))
		f.block(3)
		f.host(machine.HostImplements)
		f.branch(machine.JNZ, out(2), 0, is)
	} else {
		id := f.stemp()
		f.putInt(id, int64(rt.ID))
		f.branch(machine.JEQ, x, int32(id), is)
	}
	if v.CommaOk {
		if val != nil {
			f.zero(val.at, len(val.shape))
		}
		if ok != nil {
			f.putInt(ok.at, 0)
		}
		f.jump(end)
	} else {
		f.move(out(0), x, 1)
		f.putInt(out(1), int64(f.c.types.of(v.X.Type()).ID))
		f.putInt(out(2), int64(rt.ID))
		f.block(3)
		f.host(machine.HostAssertPanic)
	}
	f.bind(is)
	switch {
	case val == nil:
	case types.IsInterface(t):
		f.move(val.at, x, 2)
	case rt.Direct():
		f.move(val.at, x+1, 1)
	default:
		op, _ := accessOps(t)
		f.load(val.at, sizeOf(t), op, address{slot: x + 1})
	}
	if ok != nil {
		f.putInt(ok.at, 1)
	}
	f.bind(end)
}
