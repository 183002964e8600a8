package ch14

import (
	"gosched/chapters/check"
	"gosched/chapters/gmp"
	"gosched/chapters/machine"
)

// A world is a scheduler on which nothing runs: a check calls the parts in the name of M0,
// which holds P0 and runs G1, and the world notes what they ask of each other.
type world struct {
	t      *check.T
	s      *gmp.Sched
	m0, m1 *gmp.M // m1 has nothing
	p0     *gmp.P
	gp     *gmp.G

	*check.Tape
	skip map[string]bool   // methods whose calls are noted and not made
	sees map[string]func() // what happens when a method is called, before it does anything
}

// Where a G may stand in the program of a world, which is never run.
const (
	safePC   machine.PC = 1
	unsafePC machine.PC = 2
)

var program = &machine.Program{
	Code: []machine.Instr{
		machine.EncImm(machine.ENTER, 0, 0, 4),
		machine.EncImm(machine.LDI, 0, 0, 7),
		machine.Enc(machine.TRAP, uint8(machine.TrapGosched), 0, 0, 0),
		machine.EncImm(machine.RET, 0, 0, 4),
		machine.Enc(machine.TRAP, uint8(machine.TrapGoexit), 0, 0, 0),
		machine.EncImm(machine.JMP, 0, 0, -2),
	},
	Funcs: []machine.Func{
		{Name: "main.work", Entry: 0, End: 4, Frame: 4},
		{Name: "runtime.goexit", Entry: 4, End: 6},
	},
	Unsafe: []uint64{1 << unsafePC},
	Goexit: 4,
}

func newWorld(t *check.T) *world { return newWorldOf(t, gmp.Options{}) }

func newWorldOf(t *check.T, opt gmp.Options) *world {
	w := &world{t: t, skip: map[string]bool{}, sees: map[string]func(){}}
	opt.Machine.MemBytes = machine.MinMemBytes
	s, err := gmp.New(t.Version(), program, opt)
	if err != nil {
		panic(err)
	}
	w.s, w.m0, w.m1, w.p0 = s, s.NewM(0), s.NewM(1), gmp.NewP(0, 2)
	check.Holding(w.m0, w.p0)
	w.p0.Status.Store(gmp.Prunning)
	w.gp = s.Malg(gmp.StartingStack)
	w.gp.Goid.Set(s.Goidgen.Add(1))
	w.gp.Atomicstatus.Store(gmp.Grunning)
	s.Allgadd(w.gp)
	check.Running(w.m0, w.gp)
	w.gp.Sched.SP = w.gp.Stack.Get().Hi - 48
	w.gp.Sched.PC, w.gp.Sched.Trap = safePC, machine.TrapSignal
	w.gp.Sched.Guard.Store(w.guard())
	w.Tape = check.NewTape(s)
	w.Before = func(c *check.Call) bool {
		if sees := w.sees[c.Method]; sees != nil {
			sees()
		}
		w.wantP(c)
		return !w.skip[c.Method]
	}
	return w
}

// wantP checks that nobody asks about the P of an M that has none.
func (w *world) wantP(c *check.Call) {
	w.t.Helper()
	if c.Method != "CanPreemptM" {
		return
	}
	if mp := check.Arg[*gmp.M](c.Call); mp.P.Get() == nil {
		caller := "the check"
		if n := len(w.Calls); n > 1 {
			caller = w.Calls[n-2].Method
		}
		w.t.Fatalf("%s has no P, and %s calls CanPreemptM(%[1]s), which looks at the state of its P: first see whether it has one", check.MName(mp), caller)
	}
}

// guard is where the guard of G1 belongs.
func (w *world) guard() uint64 { return uint64(w.gp.Stack.Get().Lo) + gmp.StackGuard }

// skips lets the calls of some methods be noted only.
func (w *world) skips(methods ...string) {
	for _, m := range methods {
		w.skip[m] = true
	}
}

// is names a state with or without the scan bit.
func is(st uint32) string { return gmp.StatusName(st) }

// visible checks that the models see all shared state.
func visible(t *check.T) {
	w := newWorld(t)
	w.s.WantAsyncPreempt(w.gp)
	t.Visible()
}
