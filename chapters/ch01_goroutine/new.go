package ch01

import (
	"fmt"
	"slices"
	"strings"

	"gosched/chapters/check"
	"gosched/chapters/gmp"
	"gosched/chapters/machine"
)

// goexitRoom is how much of the top of a new stack may stay unused. The
// runtime leaves a few words there too.
const goexitRoom = 64

func newContext(t *check.T) {
	f := load(t, gmp.Version{})
	work := f.function("main.work")
	gp := f.Newproc1(f.mp, work.Closure, nil, 0)
	if gp == nil {
		t.Fatalf("Newproc1 returned nil")
	}

	ctx := &gp.Sched
	if ctx.PC != work.Entry {
		t.Fatalf("a new G for main.work must resume at its first instruction, pc %d; it would resume at pc %d, in %s",
			work.Entry, ctx.PC, f.functionAt(ctx.PC))
	}
	if ctx.SP > gp.Stack.Get().Hi || ctx.SP < gp.Stack.Get().Hi-goexitRoom {
		t.Fatalf("the stack pointer of a new G must be at the top of its stack, which is [%#x, %#x); it is %#x", gp.Stack.Get().Lo, gp.Stack.Get().Hi, ctx.SP)
	}
	f.wantGuard(t, gp)

	if _, trap := f.mp.Thread.RunN(ctx, 1_000_000); trap != machine.TrapGoexit {
		t.Fatalf("main.work must return to goexit, where it ends with %v; it ended with %v, at pc %d in %s",
			machine.TrapGoexit, trap, ctx.PC, f.functionAt(ctx.PC))
	}
	if ctx.At() != f.Program().Goexit || ctx.SP > gp.Stack.Get().Hi {
		t.Errorf("main.work has returned; its G must be at goexit, pc %d, with a stack pointer no higher than %#x; it is at pc %d with %#x",
			f.Program().Goexit, gp.Stack.Get().Hi, ctx.At(), ctx.SP)
	}
}

// functionAt names the function of a pc.
func (f fixture) functionAt(pc machine.PC) string {
	if fn := f.Program().FuncAt(pc); fn != nil {
		return fn.Name
	}
	return "no function"
}

func (f fixture) wantGuard(t *check.T, gp *gmp.G) {
	if guard, want := gp.Sched.Guard.Load(), uint64(gp.Stack.Get().Lo)+gmp.StackGuard; guard != want {
		t.Errorf("the guard of a new goroutine must be StackGuard above its stack's low end, %#x; it is %#x", want, guard)
	}
}

func newIdentity(t *check.T) {
	var f fixture
	f = load(t, whenRunnable(t, func(gp *gmp.G) {
		if f.Allglast.Get() != gp && !t.Failed() {
			t.Errorf("Newproc1 made a G runnable before it was on the list of all Gs (Allgs): code that goes through that list, for a traceback for example, does not find it")
		}
	}))
	work := f.function("main.work").Closure
	spawn := f.function("main.spawn")

	first := f.Newproc1(f.mp, f.Mainfn, nil, 0)
	if first == nil {
		t.Fatalf("Newproc1 returned nil")
	}
	second := f.Newproc1(f.mp, work, first, spawn.Entry+1)
	third := f.Newproc1(f.mp, work, second, spawn.Entry+2)
	gs := []*gmp.G{first, second, third}

	identity := func(goid int64, state string, startfn machine.Addr, gopc machine.PC, parent int64, m string) string {
		return fmt.Sprintf("Goid %d, %s, Startfn %#x, Gopc %d, Parentgoid %d, %s", goid, state, startfn, gopc, parent, m)
	}
	want := []string{
		identity(1, "runnable", f.Mainfn, 0, 0, "no M"),
		identity(2, "runnable", work, spawn.Entry+1, 1, "no M"),
		identity(3, "runnable", work, spawn.Entry+2, 2, "no M"),
	}
	for i, gp := range gs {
		m := "no M"
		if gp.M.Get() != nil {
			m = "an M"
		}
		if got := identity(gp.Goid.Get(), check.State(gp), gp.Startfn.Get(), gp.Gopc.Get(), gp.Parentgoid.Get(), m); got != want[i] {
			t.Errorf("Newproc1 made the main goroutine, that one made a second G, and that a third; number %d must have\n  %s\nit has\n  %s", i+1, want[i], got)
		}
	}
	f.wantAllgs(t, "after three calls of Newproc1 with nothing on the free list", gs...)
	if last := f.Goidgen.Load(); last != 3 {
		t.Errorf("Goidgen is the last Goid given out: after three Gs it must be 3, but it is %d", last)
	}
}

// wantAllgs checks that the list of all Gs holds these, each once.
func (f fixture) wantAllgs(t *check.T, when string, want ...*gmp.G) {
	list := func(gs []*gmp.G) string {
		var names []string
		for _, gp := range gs {
			names = append(names, check.Name(gp))
		}
		return strings.Join(names, ", ")
	}
	if got := f.allgs(len(want) + 3); !slices.Equal(want, got) {
		t.Errorf("%s the list of all Gs (Allgs) must hold %s; it holds %s", when, list(want), list(got))
	} else if n := f.Allglen.Load(); n != int64(len(want)) {
		t.Errorf("%s Allglen must be %d; it is %d", when, len(want), n)
	}
}

// whenRunnable calls look for each G that has become runnable, before the caller of
// Casgstatus goes on: as if another M found it at once.
func whenRunnable(t *check.T, look func(gp *gmp.G)) gmp.Version {
	statuses := t.Version().Statuses
	return gmp.Version{Statuses: func(s *gmp.Sched) gmp.Statuses { return &publisher{statuses(s), look} }}
}

type publisher struct {
	gmp.Statuses
	look func(gp *gmp.G)
}

func (p *publisher) Casgstatus(gp *gmp.G, oldval, newval uint32) {
	p.Statuses.Casgstatus(gp, oldval, newval)
	if newval == gmp.Grunnable {
		p.look(gp)
	}
}

func newSecondLife(t *check.T) {
	var now *machine.Context // of the G at the moment when it became runnable
	f := load(t, whenRunnable(t, func(gp *gmp.G) {
		now = &machine.Context{PC: gp.Sched.PC, SP: gp.Sched.SP, Trap: gp.Sched.Trap}
		now.Guard.Store(gp.Sched.Guard.Load())
	}))
	work, spawn := f.function("main.work"), f.function("main.spawn")
	f.Goidgen.Store(7)

	// G7 has ended in the middle of its stack, by a call of runtime.Goexit, when
	// someone had just asked it to stop.
	old := f.dead(7, gmp.StartingStack)
	old.Startfn.Set(spawn.Closure)
	old.Gopc.Set(spawn.Entry)
	old.Parentgoid.Set(3)
	old.Sched.PC, old.Sched.SP, old.Sched.Ctxt = spawn.Entry+1, old.Stack.Get().Hi-256, spawn.Closure
	old.Sched.Trap, old.Sched.Args = machine.TrapGoexitCall, old.Stack.Get().Hi-256
	old.Sched.Guard.Store(machine.StackPreempt)
	f.Gfput(f.mp, old)

	gp := f.Newproc1(f.mp, work.Closure, nil, 0)
	if gp != old {
		t.Fatalf("there was a G on the free list, but Newproc1 did not use it")
	}
	f.wantAllgs(t, "after the second life of a G has begun", gp)

	const of = "a G begins its second life, with no creator (callergp is nil); "
	if gp.Goid.Get() != 8 {
		t.Errorf(of+"the last Goid given out was 7, so it must be 8; it is %d", gp.Goid.Get())
	}
	if check.State(gp) != "runnable" {
		t.Errorf(of+"it must be runnable; it is %s", check.State(gp))
	}
	if gp.Startfn.Get() != work.Closure {
		t.Errorf(of + "its Startfn must be the new function; it is that of its former life, or none")
	}
	if gp.Gopc.Get() != 0 || gp.Parentgoid.Get() != 0 {
		t.Errorf(of+"Gopc and Parentgoid must be 0; they are %d and %d", gp.Gopc.Get(), gp.Parentgoid.Get())
	}
	if gp.Sched.PC != work.Entry || gp.Sched.SP < gp.Stack.Get().Hi-goexitRoom {
		t.Errorf(of+"it must resume at pc %d, main.work, at the top of its stack, %#x; it would resume at pc %d, %s, with the stack pointer at %#x",
			work.Entry, gp.Stack.Get().Hi, gp.Sched.PC, f.functionAt(gp.Sched.PC), gp.Sched.SP)
	}
	if gp.Sched.Trap != machine.TrapNone {
		t.Errorf(of+"its context must record no trap; it records %v, which ended its former life", gp.Sched.Trap)
	}
	f.wantGuard(t, gp)
	if c := &gp.Sched; !t.Failed() && now != nil && (now.PC != c.PC || now.SP != c.SP || now.Trap != c.Trap || now.Guard.Load() != c.Guard.Load()) {
		t.Errorf(of+"when its state changed to runnable, pc, stack pointer and guard were %d, %#x and %#x, and later %d, %#x and %#x: another M may look at it, or run it, as soon as it is runnable",
			now.PC, now.SP, now.Guard.Load(), c.PC, c.SP, c.Guard.Load())
	}
}

func newNil(t *check.T) {
	const words = "go of nil func value"
	f := load(t, gmp.Version{})
	if thrown := t.Throws(func() { f.Newproc1(f.mp, 0, nil, 0) }); thrown != words {
		t.Fatalf("Newproc1 of a nil function must throw %q; it threw %s", words, check.Thrown(thrown))
	}
	run := t.Play("nilfunc.go", nil)
	if run.Status != 2 || run.Fatal != "fatal error: "+words {
		t.Errorf("nilfunc.go must end with exit status 2 and %q; it ended with %d and %q", "fatal error: "+words, run.Status, run.Fatal)
	}
}

func newCreator(t *check.T) {
	run := t.Play("creator.go", nil)
	if run.Fatal != "panic: lost" {
		t.Fatalf("creator.go must end with %q; it ended with %q", "panic: lost", run.Fatal)
	}
	const want = "created by main.spawn in goroutine 1"
	found := "no such line"
	for _, line := range strings.Split(run.Stderr, "\n") {
		if strings.HasPrefix(line, "created by") {
			found = fmt.Sprintf("%q", line)
		}
	}
	if found != fmt.Sprintf("%q", want) {
		t.Errorf("the traceback of the goroutine that panicked must say %q; it has %s", want, found)
	}
}
