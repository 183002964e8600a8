package ch13

import (
	"bytes"
	"fmt"

	"gosched/chapters/check"
	"gosched/chapters/gmp"
	"gosched/chapters/machine"
)

// A world is a scheduler on which nothing runs: a check calls the parts in the name of M0,
// which holds P0 and runs G1, and the world notes what they ask of each other.
type world struct {
	t  *check.T
	s  *gmp.Sched
	m0 *gmp.M
	p0 *gmp.P
	gp *gmp.G

	*check.Tape
	stderr bytes.Buffer
	skip   map[string]bool   // methods whose calls are noted and not made
	sees   map[string]func() // what happens when a method is called, before it does anything
}

// The functions of the program that stands on stacks here. It is never run.
const (
	outerFn = iota // calls innerFn
	innerFn
	bigFn // has a large frame
	goexitFn
	plainFn // calls innerFn, and has no pointers
)

// The frames, in words.
const (
	outerFrame = 6
	innerFrame = 4
	bigFrame   = 1500
	plainFrame = 3
)

// Where they stand in the code.
const (
	outerCall machine.PC = 1
	innerTrap machine.PC = 4
	bigEntry  machine.PC = 6
	goexitPC  machine.PC = 8
	plainCall machine.PC = 11
)

var program = &machine.Program{
	Code: []machine.Instr{
		machine.EncImm(machine.ENTER, 0, 0, outerFrame),
		machine.EncImm(machine.CALL, 0, 0, innerFn),
		machine.EncImm(machine.RET, 0, 0, outerFrame),
		machine.EncImm(machine.ENTER, 0, 0, innerFrame),
		machine.Enc(machine.TRAP, uint8(machine.TrapGosched), 0, 0, 0),
		machine.EncImm(machine.RET, 0, 0, innerFrame),
		machine.EncImm(machine.ENTER, 0, 0, bigFrame),
		machine.EncImm(machine.RET, 0, 0, bigFrame),
		machine.Enc(machine.TRAP, uint8(machine.TrapGoexit), 0, 0, 0),
		machine.EncImm(machine.JMP, 0, 0, -2),
		machine.EncImm(machine.ENTER, 0, 0, plainFrame),
		machine.EncImm(machine.CALL, 0, 0, innerFn),
		machine.EncImm(machine.RET, 0, 0, plainFrame),
	},
	Funcs: []machine.Func{
		outerFn:  {Name: "main.outer", Entry: 0, End: 3, Frame: outerFrame, Pointers: []uint64{1<<1 | 1<<3 | 1<<4}},
		innerFn:  {Name: "main.inner", Entry: 3, End: 6, Frame: innerFrame, Args: 2, Pointers: []uint64{1<<0 | 1<<2 | 1<<(innerFrame+machine.ArgBase+1)}},
		bigFn:    {Name: "main.big", Entry: 6, End: 8, Frame: bigFrame},
		goexitFn: {Name: "runtime.goexit", Entry: 8, End: 10},
		plainFn:  {Name: "main.plain", Entry: 10, End: 13, Frame: plainFrame},
	},
	Goexit: goexitPC,
}

// memory is that of a world: a few stacks.
const memory = 1 << 20

// newWorld makes a world; G1 has a stack of size bytes, on which nothing is.
func newWorld(t *check.T, size uint64) *world { return newWorldWithin(t, size, limit) }

// newWorldWithin is newWorld with another limit for stacks.
func newWorldWithin(t *check.T, size, limit uint64) *world {
	w := &world{t: t, skip: map[string]bool{}, sees: map[string]func(){}}
	s, err := gmp.New(t.Version(), program, gmp.Options{
		Log:        logger{t},
		StackLimit: limit,
		Machine:    machine.Options{MemBytes: memory, Stderr: &w.stderr},
	})
	if err != nil {
		panic(err)
	}
	w.s, w.m0, w.p0 = s, s.NewM(0), gmp.NewP(0, 2)
	check.Holding(w.m0, w.p0)
	w.p0.Status.Store(gmp.Prunning)
	w.gp = s.Malg(size)
	w.gp.Goid.Set(s.Goidgen.Add(1))
	w.gp.Atomicstatus.Store(gmp.Grunning)
	s.Allgadd(w.gp)
	check.Running(w.m0, w.gp)
	w.gp.Sched.SP = w.gp.Stack.Get().Hi - 8
	w.Tape = check.NewTape(s)
	w.Before = func(c *check.Call) bool {
		if sees := w.sees[c.Method]; sees != nil {
			sees()
		}
		return !w.skip[c.Method]
	}
	return w
}

// limit is how large a stack may be in a world, in bytes; no power of two, as in the runtime.
const limit = 100_000

// A logger writes to the evidence of a check.
type logger struct{ t *check.T }

func (l logger) Write(p []byte) (int, error) {
	l.t.Logf("%s", bytes.TrimRight(p, "\n"))
	return len(p), nil
}

// atPrologue lets G1 stand at the first instruction of a function, with so many bytes of its
// stack in use; each word of them has a number of its own.
func (w *world) atPrologue(entry machine.PC, used machine.Addr) {
	hi := w.gp.Stack.Get().Hi
	w.gp.Sched.PC, w.gp.Sched.SP = entry, hi-used
	w.gp.Sched.Trap = machine.TrapMorestack
	for off := machine.Addr(16); off <= used; off += 8 {
		w.s.Machine.SetWord(hi-off, mark(off))
	}
	w.s.Machine.SetWord(hi-8, uint64(goexitPC))
	if used >= 16 {
		w.s.Machine.SetWord(hi-used, uint64(goexitPC)) // the return PC of the function: it has no caller
	}
}

// mark is the number that stands so many bytes below the high end of a stack.
func mark(off machine.Addr) uint64 { return 1_000_000 + uint64(off) }

// size is that of G1's stack, in bytes.
func (w *world) size() uint64 {
	st := w.gp.Stack.Get()
	return uint64(st.Hi - st.Lo)
}

// moved checks that what G1 had on its stack is on the new one, at the same distance from the
// high end.
func (w *world) moved(what string, used machine.Addr) {
	w.t.Helper()
	hi := w.gp.Stack.Get().Hi
	check.Want(w.t, what+" the bytes in use, from G1.Sched.SP to the high end,", int64(hi-w.gp.Sched.SP), int64(used))
	for off := machine.Addr(16); off < used; off += 8 {
		if got := w.s.Machine.Word(hi - off); got != mark(off) {
			w.t.Errorf("%s the word %d bytes below the high end, which was in use, is %s; want %d", what, off, shown(got), mark(off))
			return
		}
	}
}

// shown is a word of memory for a message.
func shown(v uint64) string {
	if v == machine.StackPoison {
		return "poison, as freed stacks have it"
	}
	return fmt.Sprint(v)
}

// guarded checks that the guard is where it belongs.
func (w *world) guarded(what string) {
	w.t.Helper()
	lo := uint64(w.gp.Stack.Get().Lo)
	switch g := w.gp.Sched.Guard.Load(); g {
	case lo + gmp.StackGuard:
	case machine.StackPreempt:
		w.t.Errorf("%s the guard is still StackPreempt; want Stack.Lo + StackGuard", what)
	case machine.StackForceMove:
		w.t.Errorf("%s the guard is still StackForceMove; want Stack.Lo + StackGuard", what)
	default:
		w.t.Errorf("%s the guard is Stack.Lo%+d; want Stack.Lo + StackGuard, %d", what, int64(g-lo), gmp.StackGuard)
	}
}

// freedOnce checks that a stack that G1 no longer has was freed, once.
func (w *world) freedOnce(what string, old machine.Stack) {
	w.t.Helper()
	if old == w.gp.Stack.Get() {
		w.t.Fatalf("%s G1 still has its old stack; want a new one", what)
	}
	if w.s.Machine.Word(old.Hi-8) != machine.StackPoison {
		w.t.Errorf("%s the old stack is not freed (Stackfree)", what)
	}
	size := uint64(old.Hi - old.Lo)
	first, second := w.s.Stackalloc(size), w.s.Stackalloc(size)
	if first == second {
		w.t.Errorf("%s the old stack was freed twice: two Gs would get it", what)
	}
}

// sizeName names a size in bytes.
func sizeName(n uint64) string {
	if n%1024 == 0 {
		return fmt.Sprintf("%d KiB", n/1024)
	}
	return fmt.Sprintf("%d bytes", n)
}
