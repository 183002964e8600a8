package compile

import (
	"fmt"
	"go/types"

	"golang.org/x/tools/go/ssa"

	"gosched/chapters/machine"
)

// host emits a call of a host function with its block in the outgoing slots.
func (f *fun) host(h machine.Host) { f.opI(machine.HOST, 0, out(0), int(h)) }

// arguments brings vs into the outgoing slots from first on, and returns the
// slot after them.
func (f *fun) arguments(vs []ssa.Value, first int) int {
	var moves []transfer
	var others []pending
	for _, v := range vs {
		f.fetch(out(first), v, &moves, &others)
		first += slotsOf(v.Type())
	}
	f.moveAll(moves)
	for _, o := range others {
		f.put(o.dst, o.val)
	}
	f.block(first)
	return first
}

// argSlots returns the number of slots of the arguments of a call.
func (f *fun) argSlots(call *ssa.Call) int {
	n := 0
	for _, a := range call.Call.Args {
		n += slotsOf(a.Type())
	}
	return n
}

func (f *fun) lowerCall(v *ssa.Call) {
	if b, ok := v.Call.Value.(*ssa.Builtin); ok {
		f.lowerBuiltin(v, b.Name())
		return
	}
	if v.Call.IsInvoke() {
		f.lowerInvoke(v)
		return
	}
	callee, static := v.Call.Value.(*ssa.Function)
	if static && isInit(callee) && f.sf.Pkg == callee.Pkg {
		return // see entry
	}
	var closure slot
	if !static {
		closure = f.use(v.Call.Value)
		if closure.region() == regOut { // about to be overwritten
			t := f.ptemp()
			f.move(t, closure, 1)
			closure = t
		}
	}
	n := f.arguments(v.Call.Args, 0)
	f.block(n + tupleSlots(v.Call.Signature().Results()))
	switch {
	case !static:
		f.op(machine.CALLC, 0, closure, 0, 0)
	case callee.Blocks == nil:
		f.intrinsic(callee)
	default:
		f.opI(machine.CALL, 0, 0, f.c.index(callee))
	}
	f.takeResults(v, n)
}

// tupleSlots returns the number of slots of all values of a tuple.
func tupleSlots(t *types.Tuple) int {
	n := 0
	for i := range t.Len() {
		n += slotsOf(t.At(i).Type())
	}
	return n
}

// takeResults copies the results of a call from the outgoing slots from first
// on to where they are wanted.
func (f *fun) takeResults(v *ssa.Call, first int) {
	tuple, ok := v.Type().(*types.Tuple)
	if !ok {
		f.move(f.dst(v), out(first), slotsOf(v.Type()))
		return
	}
	offsets := make([]int, tuple.Len())
	for i := range offsets {
		offsets[i] = first
		first += slotsOf(tuple.At(i).Type())
	}
	var moves []transfer
	for _, ref := range *v.Referrers() {
		if e, ok := ref.(*ssa.Extract); ok {
			moves = append(moves, transfer{f.dst(e), out(offsets[e.Index]), slotsOf(e.Type())})
		}
	}
	f.moveAll(moves)
}

// An intrinsic is a function of the standard packages that is declared without
// a body: a host function or a call into the runtime.
type intrinsic struct {
	op  machine.Op
	num int
}

func hosted(h machine.Host) intrinsic { return intrinsic{machine.HOST, int(h)} }
func trap(t machine.Trap) intrinsic   { return intrinsic{machine.TRAP, int(t)} }

var intrinsics = map[string]intrinsic{
	"fmt.format":           hosted(machine.HostFormat),
	"fmt.write":            trap(machine.TrapWrite),
	"os.write":             trap(machine.TrapWrite),
	"runtime.panicMethod":  hosted(machine.HostPanicMethod),
	"os.exit":              trap(machine.TrapExit),
	"runtime.gosched":      trap(machine.TrapGosched),
	"runtime.goexit":       trap(machine.TrapGoexitCall),
	"runtime.numGoroutine": trap(machine.TrapNumGoroutine),
	"runtime.gomaxprocs":   trap(machine.TrapGOMAXPROCS),
}

func (f *fun) intrinsic(fn *ssa.Function) {
	name := fn.Pkg.Pkg.Path() + "." + fn.Name()
	in, ok := intrinsics[name]
	if !ok {
		f.c.refuse(fn.Pos(), "missing function body of %s", name)
	}
	if in.op == machine.HOST {
		f.host(machine.Host(in.num))
	} else {
		f.op(machine.TRAP, in.num, out(0), 0, 0)
	}
}

// lowerGo emits a go statement. Newproc takes a closure without parameters; if
// the call is not of that form already, a wrapper function makes it so, as in
// Go: a closure that captured the arguments.
func (f *fun) lowerGo(v *ssa.Go) {
	call := &v.Call
	if b, ok := call.Value.(*ssa.Builtin); ok {
		f.goBuiltin(v, b.Name())
		return
	}
	var captured []part
	add := func(x ssa.Value) { captured = append(captured, part{f.use(x), slotsOf(x.Type())}) }
	fn := -1
	switch callee := call.Value.(type) {
	case *ssa.Function:
		if callee.Blocks == nil {
			f.c.bug("go of %s", callee)
		}
		fn = f.c.index(callee)
	default:
		if call.IsInvoke() {
			captured = append(captured, part{f.method(call), 1}, part{f.use(call.Value) + 1, 1})
		} else {
			add(call.Value)
		}
	}
	if len(call.Args) == 0 && call.Signature().Results().Len() == 0 && !call.IsInvoke() {
		f.put(out(0), call.Value)
	} else {
		for _, a := range call.Args {
			add(a)
		}
		results := tupleSlots(call.Signature().Results())
		f.move(out(0), f.goClosure(fn, captured, results), 1)
	}
	f.block(1)
	f.op(machine.TRAP, int(machine.TrapNewproc), out(0), 0, 0)
}

// goClosure returns a closure of a new wrapper, which calls function fn, or the
// first captured slot if fn is -1, with what was captured and room for results.
func (f *fun) goClosure(fn int, captured []part, results int) slot {
	n := 0
	for _, p := range captured {
		n += p.n
	}
	w := f.newWrapper()
	f.c.wrapper(w, fn, n, results)
	return f.closure(f.c.add(w), captured)
}

// newWrapper returns the code, still empty, of the next wrapper of a go
// statement of this function. It has no line of its own; see isWrapper.
func (f *fun) newWrapper() *code {
	f.wraps++
	return &code{name: fmt.Sprintf("%s.gowrap%d", f.name, f.wraps), file: f.file, now: f.now}
}

// closure returns a new closure of function fn that captured the given slots.
func (f *fun) closure(fn int, captured []part) slot {
	n := 0
	for _, p := range captured {
		n += p.n
	}
	at := f.ptemp()
	f.newClosure(at, fn, n)
	f.capture(at, captured)
	return at
}

// always is when the slots of a wrapper are taken.
var always = []span{{0, 1}}

// wrapper emits the body of a gowrap that captured n words.
func (c *compiler) wrapper(w *code, fn, n, results int) {
	w.emit(ins{op: machine.ENTER})
	closure := slot(regTemp | w.temp.take([]bool{true}, always))
	w.op(machine.CTXT, 0, closure, 0, 0)
	callee := slot(-1)
	off := int64(8)
	if fn < 0 {
		callee = slot(regTemp | w.temp.take([]bool{true}, always))
		w.mem(machine.LD64, 0, callee, closure, off)
		off, n = off+8, n-1
	}
	for i := range n {
		w.mem(machine.LD64, 0, out(i), closure, off+8*int64(i))
	}
	w.block(n + results)
	if fn < 0 {
		w.op(machine.CALLC, 0, callee, 0, 0)
	} else {
		w.opI(machine.CALL, 0, 0, fn)
	}
	w.emit(ins{op: machine.RET})
}

// goBuiltin emits go print(…) and go println(…): the arguments are evaluated
// now, so they are formatted now, and the goroutine writes the text.
func (f *fun) goBuiltin(v *ssa.Go, name string) {
	if name != "print" && name != "println" {
		f.c.refuse(v.Pos(), "go %s is not supported yet", name)
	}
	text := f.formatPrint(v.Call.Args, name == "println")
	w := f.newWrapper()
	w.emit(ins{op: machine.ENTER})
	closure := slot(regTemp | w.temp.take([]bool{true}, always))
	w.op(machine.CTXT, 0, closure, 0, 0)
	w.opI(machine.LDI, 0, out(0), stderr)
	w.mem(machine.LD64, 0, out(1), closure, 8)
	w.mem(machine.LD64, 0, out(2), closure, 16)
	w.block(4)
	w.op(machine.TRAP, int(machine.TrapWrite), out(0), 0, 0)
	w.emit(ins{op: machine.RET})
	f.move(out(0), f.closure(f.c.add(w), []part{{text, 2}}), 1)
	f.op(machine.TRAP, int(machine.TrapNewproc), out(0), 0, 0)
}
