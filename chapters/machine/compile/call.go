package compile

import (
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
	if atomic := f.atomics[v]; atomic != nil {
		f.lowerAtomic(v, atomic)
		return
	}
	if in := f.inlines[v]; in != nil {
		f.lowerInlined(v, in)
		return
	}
	callee, static := v.Call.Value.(*ssa.Function)
	if static {
		if isInit(callee) && f.sf.Pkg == callee.Pkg {
			return // see entry
		}
		callee = passesTo(callee)
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
			moves = append(moves, transfer{f.dst(e), out(offsets[e.Index]), slotsOf(e.Type()), e.Type()})
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
	"runtime.nextDefer":    hosted(machine.HostNextDefer),
	"runtime.recovery":     hosted(machine.HostRecovery),
	"runtime.panicAt":      hosted(machine.HostPanicAt),
	"runtime.runtimeError": hosted(machine.HostRuntimeError),
	"runtime.fatalpanic":   trap(machine.TrapGopanic),
	"os.exit":              trap(machine.TrapExit),
	"os.args":              hosted(machine.HostArgs),
	"strconv.quote":        hosted(machine.HostQuote),

	"sync.semacquire": trap(machine.TrapSemacquire),
	"sync.semrelease": trap(machine.TrapSemrelease),
	"sync.nanotime":   trap(machine.TrapNanotime),
	"sync.throw":      trap(machine.TrapThrow),
	"sync.notifyAdd":  trap(machine.TrapNotifyAdd),
	"sync.notifyWait": trap(machine.TrapNotifyWait),
	"sync.notifyAll":  trap(machine.TrapNotifyAll),
	"sync.notifyOne":  trap(machine.TrapNotifyOne),
	"time.sleep":      trap(machine.TrapSleep),
	"time.resetTimer": trap(machine.TrapResetTimer),
	"time.stopTimer":  trap(machine.TrapStopTimer),
	"time.nanotime":   trap(machine.TrapNanotime),
	"time.walltime":   trap(machine.TrapWalltime),

	"runtime.gosched":            trap(machine.TrapGosched),
	"runtime.goexit":             trap(machine.TrapGoexitCall),
	"runtime.numGoroutine":       trap(machine.TrapNumGoroutine),
	"runtime.gomaxprocs":         trap(machine.TrapGOMAXPROCS),
	"runtime.readMemStats":       trap(machine.TrapReadMemStats),
	"runtime.gcNow":              trap(machine.TrapGCNow),
	"runtime.setFinalizer":       trap(machine.TrapSetFinalizer),
	"runtime.addCleanup":         trap(machine.TrapAddCleanup),
	"runtime.stopCleanup":        trap(machine.TrapStopCleanup),
	"runtime.nextFinalizer":      trap(machine.TrapNextFinalizer),
	"runtime/debug.setGCPercent": trap(machine.TrapSetGCPercent),
	"runtime.lockOSThread":       trap(machine.TrapLockThread),
	"runtime.unlockOSThread":     trap(machine.TrapUnlockThread),

	"syscall.transfer":   trap(machine.TrapSyscall),
	"syscall.open":       trap(machine.TrapSyscall),
	"syscall.closeFile":  trap(machine.TrapSyscall),
	"syscall.pipe":       trap(machine.TrapSyscall),
	"syscall.nanosleep":  trap(machine.TrapSyscall),
	"syscall.getpid":     trap(machine.TrapRawSyscall),
	"syscall.socketCall": trap(machine.TrapSyscall),

	"internal/poll.runtime_pollOpen":        trap(machine.TrapPollOpen),
	"internal/poll.runtime_pollClose":       trap(machine.TrapPollClose),
	"internal/poll.runtime_pollReset":       trap(machine.TrapPollReset),
	"internal/poll.runtime_pollWait":        trap(machine.TrapPollWait),
	"internal/poll.runtime_pollSetDeadline": trap(machine.TrapPollSetDeadline),
	"internal/poll.runtime_pollUnblock":     trap(machine.TrapPollUnblock),
}

// nameOf returns the name of a function without a body in the tables.
func nameOf(fn *ssa.Function) string {
	if origin := fn.Origin(); origin != nil {
		fn = origin
	}
	return fn.Object().Pkg().Path() + "." + fn.Name()
}

func (f *fun) intrinsic(fn *ssa.Function) {
	in, ok := intrinsics[nameOf(fn)]
	if !ok {
		f.c.refuse(fn.Pos(), "missing function body of %s", nameOf(fn))
	}
	if in.op == machine.HOST {
		f.host(machine.Host(in.num))
	} else {
		f.op(machine.TRAP, in.num, out(0), 0, 0)
	}
}

// lowerGo emits a go statement. Newproc takes a closure without parameters.
func (f *fun) lowerGo(v *ssa.Go) {
	closure := f.bound(&v.Call, "gowrap")
	f.move(out(0), closure, 1)
	f.block(1)
	f.op(machine.TRAP, int(machine.TrapNewproc), out(0), 0, 0)
}
