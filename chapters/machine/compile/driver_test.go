package compile_test

import (
	"bytes"
	"fmt"
	"strings"

	"gosched/chapters/machine"
)

// An outcome is what one can see of a program's run.
type outcome struct {
	Stdout string
	Stderr string // of the program itself: print and println
	Exit   int
	Failed string   // the line that says why: "panic: …" or "fatal error: …"
	Steps  int64    // instructions executed
	Trace  []string // after a panic, the frames of the goroutine: function:line
}

// A driver runs a program with the simplest scheduler there is: one thread,
// one goroutine at a time, a queue of the others. It is enough to test the
// compiler without the scheduler that the course is about.
type driver struct {
	m        *machine.Machine
	t        *machine.Thread
	queue    []*goroutine
	blocked  []*goroutine
	chans    map[uint64]*channel
	now      int64 // ns
	running  *goroutine
	count    int
	mainGone bool
	// quantum is the number of instructions after which a goroutine's stack is
	// moved, at its next prologue, and the old one poisoned; 0 for never. The stacks
	// of those that wait are moved at once.
	quantum int64
	steps   int64 // instructions left
	stdout  bytes.Buffer
	stderr  bytes.Buffer
}

type goroutine struct {
	machine.Context
	stack  machine.Stack
	main   bool
	op     machine.Trap // that it waits in
	until  int64        // when it has slept enough
	panics string       // what it panics with when it goes on
}

// Limits of the driver.
const (
	firstStack = 2048
	maxStack   = 1 << 20
)

// run runs prog to its end, or fails after maxSteps instructions.
func run(prog *machine.Program, memBytes, quantum int64, args ...string) (outcome, error) {
	m, err := machine.New(prog, machine.Options{MemBytes: memBytes, Args: args})
	if err != nil {
		return outcome{}, err
	}
	d := &driver{m: m, t: m.NewThread(), quantum: quantum, steps: maxSteps, chans: map[uint64]*channel{}}
	entry := prog.Funcs[prog.Entry].Entry
	if !d.start(entry, 0) {
		return outcome{}, fmt.Errorf("no room for the first stack")
	}
	d.queue[0].main = true
	o := outcome{}
	o.Exit, o.Failed = d.schedule()
	o.Stdout, o.Stderr = d.stdout.String(), d.stderr.String()
	o.Steps = maxSteps - d.steps
	if strings.HasPrefix(o.Failed, "panic: ") {
		o.Trace = d.trace()
	}
	return o, nil
}

// start makes a goroutine that begins at pc.
func (d *driver) start(pc machine.PC, closure machine.Addr) bool {
	stack, ok := d.m.StackAlloc(firstStack)
	if !ok {
		return false
	}
	gp := &goroutine{stack: stack}
	gp.PC, gp.Ctxt = pc, closure
	gp.SP = stack.Hi - 8
	d.m.SetWord(gp.SP, uint64(d.m.Program.Goexit))
	gp.Guard.Store(uint64(stack.Lo) + machine.StackSmall)
	d.queue = append(d.queue, gp)
	d.count++
	return true
}

// move gives gp a stack of the given size.
func (d *driver) move(gp *goroutine, size int64) bool {
	stack, ok := d.m.StackAlloc(size)
	if !ok {
		return false
	}
	old, delta := gp.stack, stack.Hi-gp.stack.Hi
	adjust := func(a machine.Addr) machine.Addr {
		if a >= old.Lo && a < old.Hi {
			return a + delta
		}
		return a
	}
	d.m.Copy(gp.SP+delta, gp.SP, int64(old.Hi-gp.SP))
	gp.SP, gp.Args, gp.Fault = gp.SP+delta, adjust(gp.Args), adjust(gp.Fault)
	d.m.Frames(&gp.Context, func(fr machine.Frame) bool {
		for at := range fr.Pointers {
			if at < stack.Hi {
				d.m.SetWord(at, uint64(adjust(machine.Addr(d.m.Word(at)))))
			}
		}
		return true
	})
	d.m.StackFree(gp.stack)
	gp.stack = stack
	gp.Guard.Store(uint64(stack.Lo) + machine.StackSmall)
	return true
}

// trace lists the frames of the running goroutine as Go does: without wrappers,
// unless one is the innermost frame.
func (d *driver) trace() (lines []string) {
	d.m.Frames(&d.running.Context, func(fr machine.Frame) bool {
		for _, at := range fr.Func.Places(fr.PC) {
			wrapper := fr.Func.Line == 0 && at.Func == fr.Func.Name && lines != nil
			if !wrapper && !strings.HasPrefix(at.Func, "runtime.") {
				lines = append(lines, fmt.Sprintf("%s:%d", at.Func, at.Line))
			}
		}
		return true
	})
	return lines
}

// maxSteps bounds the instructions of a run.
const maxSteps = 1_000_000_000

func (d *driver) schedule() (exit int, failed string) {
	for {
		if len(d.queue) == 0 && !d.pass() {
			if d.mainGone {
				return 2, "fatal error: no goroutines (main called runtime.Goexit) - deadlock!"
			}
			return 2, "fatal error: all goroutines are asleep - deadlock!"
		}
		gp := d.queue[0]
		d.queue = d.queue[1:]
		d.running = gp
		if gp.panics != "" {
			d.t.PanicPlain(&gp.Context, gp.panics)
			gp.panics = ""
		}
		for resume := true; resume; {
			n := d.steps
			if d.quantum > 0 {
				n = min(n, d.quantum)
			}
			left, trap := d.t.RunN(&gp.Context, n)
			if d.steps -= n - left; d.steps <= 0 {
				return -1, "the program does not end"
			}
			var done bool
			if resume, done, exit, failed = d.handle(gp, trap); done {
				return exit, failed
			}
		}
	}
}

// handle deals with a trap. It reports whether gp goes on at once, and whether
// the program is over.
func (d *driver) handle(gp *goroutine, trap machine.Trap) (resume, done bool, exit int, failed string) {
	fatal := func(s string) (bool, bool, int, string) { return false, true, 2, s }
	arg := func(i int) uint64 { return d.m.Word(gp.Args + machine.Addr(8*i)) }
	result := func(i int, v uint64) { d.m.SetWord(gp.Args+machine.Addr(8*i), v) }
	switch trap {
	case machine.TrapBudget:
		for _, gp := range d.blocked {
			if !d.move(gp, int64(gp.stack.Hi-gp.stack.Lo)) {
				return fatal("fatal error: out of memory")
			}
		}
		gp.Guard.Store(machine.StackForceMove)
		return true, false, 0, ""
	case machine.TrapMorestack:
		size := int64(gp.stack.Hi - gp.stack.Lo)
		if gp.Guard.Load() != machine.StackForceMove {
			size *= 2
		}
		if size > maxStack {
			return fatal("fatal error: stack overflow")
		}
		if !d.move(gp, size) {
			return fatal("fatal error: out of memory")
		}
		return true, false, 0, ""
	case machine.TrapFault, machine.TrapPanic:
		d.m.Sigpanic(&gp.Context)
		return true, false, 0, ""
	case machine.TrapOutOfMemory:
		return fatal("fatal error: out of memory")
	case machine.TrapNewproc:
		closure := machine.Addr(arg(0))
		if closure == 0 {
			return fatal("fatal error: go of nil func value")
		}
		if !d.start(machine.PC(d.m.Word(closure)), closure) {
			return fatal("fatal error: out of memory")
		}
		return true, false, 0, ""
	case machine.TrapGosched:
		d.queue = append(d.queue, gp)
	case machine.TrapGoexit, machine.TrapGoexitCall:
		d.m.StackFree(gp.stack)
		d.count--
		d.mainGone = d.mainGone || gp.main
	case machine.TrapMakechan, machine.TrapChansend, machine.TrapChanrecv, machine.TrapClosechan,
		machine.TrapChanlen, machine.TrapChancap, machine.TrapSelectgo:
		resume, panics := d.chanOp(gp, trap)
		if panics != "" {
			d.t.PanicPlain(&gp.Context, panics)
		}
		return resume, false, 0, ""
	case machine.TrapSemacquire, machine.TrapSemrelease, machine.TrapNotifyAdd, machine.TrapNotifyWait,
		machine.TrapNotifyAll, machine.TrapNotifyOne, machine.TrapSleep:
		return d.syncOp(gp, trap), false, 0, ""
	case machine.TrapNanotime:
		result(0, uint64(d.now))
		return true, false, 0, ""
	case machine.TrapWalltime:
		result(0, 1_000_000)
		result(1, 0)
		return true, false, 0, ""
	case machine.TrapSyscall, machine.TrapRawSyscall:
		call := machine.Syscall{Num: arg(0), Args: [3]uint64{arg(1), arg(2), arg(3)}, Alone: true, Output: d.write}
		if d.t.Syscall(&call); call.Stuck != "" {
			return fatal("it waits for " + call.Stuck)
		}
		d.now += call.Slept
		result(4, call.Result)
		result(5, uint64(call.Err))
		return true, false, 0, ""
	case machine.TrapThrow:
		return fatal("fatal error: " + d.m.String(machine.Addr(arg(0)), int64(arg(1))))
	case machine.TrapMainExit:
		return false, true, 0, ""
	case machine.TrapExit:
		return false, true, int(int64(arg(0))) & 0xff, ""
	case machine.TrapWrite:
		d.write(int(arg(0)), machine.Addr(arg(1)), int64(arg(2)))
		result(3, arg(2))
		return true, false, 0, ""
	case machine.TrapGopanic:
		return fatal("panic: " + d.m.PanicText(&gp.Context))
	case machine.TrapNumGoroutine:
		result(0, uint64(d.count))
		return true, false, 0, ""
	case machine.TrapGOMAXPROCS:
		result(1, 1)
		return true, false, 0, ""
	case machine.TrapGCNow: // nothing is collected here
		return true, false, 0, ""
	case machine.TrapReadMemStats:
		st := d.m.Stats()
		for i, v := range []uint64{d.m.HeapBytes() - d.t.Unused(), st.TotalAlloc - d.t.Unused(), uint64(d.m.Size()), st.Mallocs, st.Frees, 0, 0} {
			result(i, v)
		}
		return true, false, 0, ""
	default:
		return fatal(fmt.Sprintf("trap %d at pc %d: %v", trap, gp.PC, d.m.Program.FuncAt(gp.PC)))
	}
	return false, false, 0, ""
}

// write is what the program writes to its standard output or error.
func (d *driver) write(fd int, addr machine.Addr, n int64) {
	if fd == 2 {
		d.stderr.Write(d.m.Bytes(addr, n))
	} else {
		d.stdout.Write(d.m.Bytes(addr, n))
	}
}
