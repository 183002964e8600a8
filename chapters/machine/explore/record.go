package explore

import (
	"fmt"
	"path/filepath"
	"runtime"
	"strings"

	"gosched/chapters/machine"
)

// A recording is what is written down of an execution that is run once more to
// be shown: the sources of its steps, and the values.
type recording struct {
	x       *explorer
	sources sources
	steps   []Step
	pending [maxThreads]place // where each thread stands
	effect  string
	old     string // the value before the operation that is being executed, and after
	new     string
	running int             // the thread of the last step
	uses    map[cellUse]int // the line of the last one
}

// A cellUse is what a thread did with a Cell.
type cellUse struct {
	id     machine.ID
	thread int8
	set    bool
}

// A place is a line of the source.
type place struct {
	file string // path
	line int
	fn   string
	call string
}

func (x *explorer) newRecording() *recording {
	return &recording{x: x, running: -1, uses: map[cellUse]int{}}
}

// The functions that are left out of stacks: those of the machine and of this
// package.
const (
	machinePackage = "gosched/chapters/machine."
	explorePackage = "gosched/chapters/machine/explore."
)

// here returns the place where the current thread is, or was when it panicked.
func here() place {
	pcs := make([]uintptr, 64)
	frames := runtime.CallersFrames(pcs[:runtime.Callers(3, pcs)])
	var list []runtime.Frame
	for {
		f, more := frames.Next()
		switch {
		case strings.HasPrefix(f.Function, machinePackage), strings.HasPrefix(f.Function, "runtime."), strings.HasPrefix(f.Function, "iter."):
		case strings.HasPrefix(f.Function, explorePackage):
			if strings.HasSuffix(f.Function, ".(*explorer).run") && len(list) > 0 {
				more = false
			}
		default:
			list = append(list, f)
		}
		if !more {
			break
		}
	}
	if len(list) == 0 {
		return place{}
	}
	p := place{file: list[0].File, line: list[0].Line, fn: shortFunc(list[0].Function)}
	if n := len(list); n > 1 {
		p.call = fmt.Sprintf("%s@%d", shortFunc(list[n-2].Function), list[n-1].Line)
	}
	return p
}

// shortFunc drops package and closures from the name of a function.
func shortFunc(name string) string {
	name = name[strings.LastIndexByte(name, '/')+1:]
	_, name, _ = strings.Cut(name, ".")
	if i := strings.Index(name, ".func"); i >= 0 {
		name = name[:i]
	}
	return strings.ReplaceAll(name, "[...]", "")
}

// arrive notes where t stands before its next operation.
func (r *recording) arrive(t *thread) { r.pending[t.id] = here() }

// done notes what an operation on an atomic variable found and left.
func (r *recording) done(t *thread, old, new machine.Value, ok bool) {
	r.old, r.new = r.value(old), r.value(new)
	switch {
	case !ok:
		r.effect = "fails, finds " + r.old
	case t.op.kind == opLoad:
		r.effect = "= " + r.old
	default:
		r.effect = r.old + " → " + r.new
	}
}

// result notes what an operation returned.
func (r *recording) result(t *thread, ok bool) {
	if t.op.kind != opSleep {
		r.effect = fmt.Sprintf("= %v", ok)
	}
}

func (r *recording) value(v machine.Value) string {
	if v.Ptr == nil {
		return fmt.Sprint(int64(v.Bits))
	}
	return r.x.m.name(v.Ptr)
}

// executed adds the step that t has made on o, before o shows it.
func (r *recording) executed(t *thread, o *object, write bool) {
	switch t.op.kind {
	case opLock, opTryLock, opUnlock:
		r.old = r.mutex(o)
		if r.new = r.old; write {
			r.new = "held by " + t.name
		}
		if t.op.kind == opUnlock {
			r.new = "free"
		}
		if o.name != "" {
			r.effect = strings.TrimSpace("(" + o.name + ") " + r.effect)
		}
	case opSleep, opSleepTimeout, opWakeup, opClear:
		r.old = noteState(o.signal)
		r.new = noteState(t.op.kind != opClear && (o.signal || write))
	}
	p := r.pending[t.id]
	r.add(t, p, Step{
		Number: r.x.length,
		Code:   r.sources.call(p, t.op.kind.methods()),
		Effect: r.effect,
		Write:  write,
		Object: int(o.id), Name: o.name, Old: r.old, Value: r.new,
	})
	r.effect, r.old, r.new = "", "", ""
}

func (r *recording) mutex(o *object) string {
	if !o.locked {
		return "free"
	}
	return "held by " + r.x.threadName(o.holder)
}

func noteState(signal bool) string {
	if signal {
		return "signalled"
	}
	return "clear"
}

// cell adds a use of a Cell.
func (r *recording) cell(t *thread, id machine.ID, set bool) {
	p := here()
	method := "Get"
	if set {
		method = "Set"
	}
	r.add(t, p, Step{Code: r.sources.call(p, []string{method}), Write: set, cell: true})
	r.uses[cellUse{id, t.id, set}] = len(r.steps) - 1
}

// note adds a line that the model writes.
func (r *recording) note(t *thread, text string) {
	if t != nil {
		r.add(t, place{}, Step{Note: text})
		return
	}
	r.steps = append(r.steps, Step{Thread: -1, Note: text})
}

func (r *recording) add(t *thread, p place, s Step) {
	s.Thread = int(t.id)
	if p.file != "" {
		s.File, s.Line, s.Func, s.call = filepath.Base(p.file), p.line, p.fn, p.call
	}
	if r.running >= 0 && r.running != s.Thread {
		s.Switch = r.why(r.x.threads[r.running])
	}
	r.running = s.Thread
	r.steps = append(r.steps, s)
}

// why says why t does not run on.
func (r *recording) why(t *thread) Switch {
	switch {
	case t.done:
		return Ends
	case t.yielded || t.waiting:
		return Yields
	case !r.x.canRun(t):
		return Waits
	}
	return Preempted
}

// methods are the names under which an operation stands in the source.
func (k opKind) methods() []string {
	switch k {
	case opLoad:
		return []string{"Load"}
	case opStore:
		return []string{"Store"}
	case opSwap:
		return []string{"Swap"}
	case opCompareAndSwap:
		return []string{"CompareAndSwap"}
	case opAdd:
		return []string{"Add"}
	case opAnd:
		return []string{"And"}
	case opOr:
		return []string{"Or"}
	case opLock:
		return []string{"Lock"}
	case opTryLock:
		return []string{"TryLock"}
	case opUnlock:
		return []string{"Unlock"}
	case opSleep:
		return []string{"Sleep", "SleepTimeout"}
	case opSleepTimeout:
		return []string{"SleepTimeout"}
	case opWakeup:
		return []string{"Wakeup"}
	case opClear:
		return []string{"Clear"}
	case opNanotime:
		return []string{"Nanotime", "Walltime"}
	case opUsleep:
		return []string{"Usleep"}
	}
	return []string{"Send"}
}

// number names a value that the model does not name: by its type, and a number
// in the order of appearance.
func (x *explorer) number(v any) string {
	i, ok := x.numbers[v]
	if !ok {
		i = len(x.numbers) + 1
		x.numbers[v] = i
	}
	kind := fmt.Sprintf("%T", v)
	switch {
	case strings.HasPrefix(kind, "*"):
		return fmt.Sprintf("%s#%d", kind[strings.LastIndexByte(kind, '.')+1:], i)
	default:
		return fmt.Sprint(v)
	}
}
