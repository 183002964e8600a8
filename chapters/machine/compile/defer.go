package compile

import (
	"fmt"
	"go/token"

	"golang.org/x/tools/go/ssa"

	"gosched/chapters/machine"
)

// A function with defer statements keeps the list of its deferred calls in a
// slot: entries of two words, the next entry and a closure without parameters.
// When it returns, it runs them itself. When it is left by a panic or by
// runtime.Goexit, package runtime does, which finds the list by looking at the
// stack; see machine/panic.go. If one of them recovers, the function goes on at
// its recover block, which runs the rest and returns the results as they are.

// lowerDefer emits a defer statement.
func (f *fun) lowerDefer(v *ssa.Defer) {
	closure := f.bound(&v.Call, "deferwrap")
	entry := f.ptemp()
	f.opI(machine.NEW, 0, entry, f.c.layout(16, []bool{true, true}))
	f.mem(machine.STP, 0, entry, f.defers.at, 0)
	f.mem(machine.STP, 0, entry, closure, 8)
	f.move(f.defers.at, entry, 1)
}

// runDefers emits the running of the deferred calls, the last one first.
func (f *fun) runDefers() {
	if f.defers == nil {
		return
	}
	next, end := f.newLabel(), f.newLabel()
	closure := f.ptemp()
	f.bind(next)
	f.branch(machine.JZ, f.defers.at, 0, end)
	f.mem(machine.LD64, 0, closure, f.defers.at, 8)
	f.mem(machine.LD64, 0, f.defers.at, f.defers.at, 0)
	f.op(machine.CALLC, 0, closure, 0, 0)
	f.jump(next)
	f.bind(end)
}

// returnPos returns the line of a return, which is where deferred calls run: at
// the end of the function it is that of the closing brace.
func (f *fun) returnPos(v *ssa.RunDefers) token.Pos {
	for _, instr := range v.Block().Instrs {
		if ret, ok := instr.(*ssa.Return); ok && ret.Pos().IsValid() {
			return ret.Pos()
		}
	}
	if syntax := f.sf.Syntax(); syntax != nil {
		return syntax.End() - 1
	}
	return token.NoPos
}

// lowerPanic emits a panic.
func (f *fun) lowerPanic(v *ssa.Panic) {
	f.put(out(0), v.X)
	f.block(2)
	f.opI(machine.CALL, 0, 0, f.c.runtimeFunc("gopanic"))
}

// bound returns a closure without parameters that makes the call, of the
// function itself or of a wrapper that has captured the arguments, as in Go.
func (f *fun) bound(call *ssa.CallCommon, kind string) slot {
	if b, ok := call.Value.(*ssa.Builtin); ok {
		return f.boundBuiltin(call, b.Name(), kind)
	}
	if len(call.Args) == 0 && call.Signature().Results().Len() == 0 && !call.IsInvoke() {
		return f.use(call.Value)
	}
	var captured []part
	fn := -1
	switch callee := call.Value.(type) {
	case *ssa.Function:
		if callee.Blocks == nil {
			f.c.bug("%s of %s", kind, callee)
		}
		fn = f.c.index(callee)
	default:
		if call.IsInvoke() {
			captured = append(captured, part{f.method(call), address1}, part{f.use(call.Value) + 1, address1})
		} else {
			captured = append(captured, part{f.use(callee), address1})
		}
	}
	w := f.newWrapper(kind)
	captured = append(captured, f.parts(call.Args)...)
	n := words(captured)
	callee := f.c.captured(w, n, fn < 0)
	if fn < 0 {
		n--
		w.op(machine.CALLC, 0, callee, 0, 0)
	} else {
		w.opI(machine.CALL, 0, 0, fn)
	}
	w.block(n + tupleSlots(call.Signature().Results()))
	w.emit(ins{op: machine.RET})
	return f.closure(f.c.add(w), captured)
}

// boundBuiltin is bound for a builtin function.
func (f *fun) boundBuiltin(call *ssa.CallCommon, name, kind string) slot {
	w := f.newWrapper(kind)
	var captured []part
	trap := machine.TrapNone
	switch name {
	case "print", "println": // formatted now, so that the wrapper only writes
		fd := f.stemp()
		f.putInt(fd, stderr)
		captured = []part{{fd, number1}, {f.formatPrint(call.Args, name == "println"), []bool{true, false}}}
		trap = machine.TrapWrite
	case "close":
		captured = f.parts(call.Args)
		trap = machine.TrapClosechan
	case "delete":
		id := f.stemp()
		f.putInt(id, int64(f.c.types.of(call.Args[0].Type()).ID))
		captured = append([]part{{id, number1}}, f.parts(call.Args)...)
	case "recover": // not called by a deferred function, it does nothing
	case "panic":
		captured = f.parts(call.Args)
	default:
		f.c.refuse(f.c.at.Pos(), "%s of %s is not supported yet", kind[:len(kind)-len("wrap")], name)
	}
	f.c.captured(w, words(captured), false)
	switch {
	case trap != machine.TrapNone:
		w.op(machine.TRAP, int(trap), out(0), 0, 0)
	case name == "delete":
		w.opI(machine.HOST, 0, out(0), int(machine.HostMapDelete))
	case name == "panic":
		w.opI(machine.CALL, 0, 0, f.c.runtimeFunc("gopanic"))
	}
	w.block(words(captured) + 1)
	w.emit(ins{op: machine.RET})
	return f.closure(f.c.add(w), captured)
}

// The shapes of one slot.
var address1, number1 = []bool{true}, []bool{false}

// parts returns the slots of values.
func (f *fun) parts(vs []ssa.Value) (all []part) {
	for _, v := range vs {
		all = append(all, part{f.use(v), shapeOf(v.Type())})
	}
	return all
}

// words returns the number of slots of parts.
func words(parts []part) (n int) {
	for _, p := range parts {
		n += len(p.shape)
	}
	return n
}

// newWrapper returns the code, still empty, of the next wrapper of a go or defer
// statement of this function. It has no line of its own; see isWrapper.
func (f *fun) newWrapper(kind string) *code {
	if f.wraps == nil {
		f.wraps = map[string]int{}
	}
	f.wraps[kind]++
	return &code{name: fmt.Sprintf("%s.%s%d", f.name, kind, f.wraps[kind]), file: f.file, now: f.now}
}

// closure returns a new closure of function fn that captured the given slots.
func (f *fun) closure(fn int, captured []part) slot {
	at := f.ptemp()
	f.newClosure(at, fn, captured)
	f.capture(at, captured)
	return at
}

// always is when the slots of a wrapper are taken.
var always = []span{{0, 1}}

// captured emits the begin of a wrapper: it loads the n words that it captured
// into the outgoing slots, or the first of them, the closure to call, into the
// slot that it returns.
func (c *compiler) captured(w *code, n int, closure bool) (callee slot) {
	w.emit(ins{op: machine.ENTER})
	self := slot(regTemp | w.temp.take([]bool{true}, always))
	w.op(machine.CTXT, 0, self, 0, 0)
	off := int64(8)
	if closure {
		callee = slot(regTemp | w.temp.take([]bool{true}, always))
		w.mem(machine.LD64, 0, callee, self, off)
		off, n = off+8, n-1
	}
	for i := range n {
		w.mem(machine.LD64, 0, out(i), self, off+8*int64(i))
	}
	return callee
}

// runtimeFunc returns the index of a function of package runtime.
func (c *compiler) runtimeFunc(name string) int {
	return c.index(c.ssa.ImportedPackage("runtime").Func(name))
}
