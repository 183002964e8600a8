package explore

import (
	"fmt"
	"strings"

	"gosched/chapters/machine"
)

// A recording is what is written down of an execution that is run once more to
// be shown: the sources of its steps, and the values.
type recording struct {
	x       *explorer
	sources sources
	steps   []Step
	pending [maxThreads]standing
	effect  string
	old     string // the value before the operation that is being executed, and after
	new     string
	running int             // the thread of the last step
	uses    map[cellUse]int // the line of the last one
}

// standing is where a thread is that has come to an operation.
type standing struct {
	place
	code string
}

// A cellUse is what a thread did with a Cell.
type cellUse struct {
	id     machine.ID
	thread int8
	set    bool
}

func (x *explorer) newRecording() *recording {
	return &recording{x: x, running: -1, uses: map[cellUse]int{}}
}

// arrive notes where t stands before its next operation.
func (r *recording) arrive(t *thread) { r.pending[t.id] = r.standing(t.op.id) }

// standing is where the current thread is, which comes to an operation on the
// variable of that id.
func (r *recording) standing(id machine.ID) standing {
	p := here()
	op := p.op
	if _, ok := r.x.words.addr(id); ok {
		op = p.outer
	}
	return standing{p, r.sources.call(op, id)}
}

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
	return shorten(r.x.m.name(v.Ptr), maxValue)
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
	name := o.name
	if addr, ok := r.x.words.addr(o.id); ok {
		name = r.x.m.addrInRow(addr)
	}
	p := r.pending[t.id]
	r.add(t, p.place, Step{
		Number: r.x.length,
		kind:   t.op.kind,
		Code:   p.code,
		Effect: r.effect,
		Write:  write,
		Object: int(o.id), Name: name, Old: r.old, Value: r.new,
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
	p := r.standing(id)
	r.add(t, p.place, Step{Code: p.code, Write: set, cell: true})
	r.uses[cellUse{id, t.id, set}] = len(r.steps) - 1
}

// memory adds a use of words of the machine's memory, from addr on.
func (r *recording) memory(t *thread, ids []machine.ID, addr machine.Addr, write bool) {
	p := here()
	effect := does(write) + " " + r.x.m.addrInRow(addr)
	r.add(t, p, Step{Code: r.sources.call(p.outer, ids[0]), Effect: effect, Write: write})
	for _, id := range ids {
		r.uses[cellUse{id, t.id, write}] = len(r.steps) - 1
	}
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
		s.File, s.Line, s.Func = inRow(p.file), p.line, p.fn
		s.aside = p.aside
		s.call, s.stack, s.path = p.call, p.stack, inCourse(p.file, p.line)
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
	case t.count == 0: // all come as far as that, whoever goes first
		return Stands
	}
	return Preempted
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
