package ch13

import (
	"fmt"

	"gosched/chapters/check"
	"gosched/chapters/gmp"
	"gosched/chapters/machine"
)

// copyUsed checks that what is in use is copied, and nothing is lost.
func copyUsed(t *check.T) {
	for _, c := range []struct{ from, to uint64 }{{2048, 4096}, {8192, 2048}, {4096, 4096}, {2048, 32768}} {
		w := newWorld(t, c.from)
		const used = 1024
		w.atPrologue(0, used)
		old := w.gp.Stack.Get()
		w.s.Copystack(w.gp, c.to)
		what := fmt.Sprintf("Copystack of G1, which uses %d bytes of %s, to %s; after it", used, sizeName(c.from), sizeName(c.to))
		check.Want(t, what+" the size of its stack in bytes", w.size(), c.to)
		if t.Failed() {
			return
		}
		w.moved(what, used)
		w.freedOnce(what, old)
		w.guarded(what)
	}

	w := newWorld(t, 8192)
	w.atPrologue(0, 2056)
	old := w.gp.Stack.Get()
	msg := t.Throws(func() { w.s.Copystack(w.gp, 2048) })
	check.WantThrow(t, "Copystack of G1, which uses 2056 bytes, to 2048 bytes; it", check.Thrown(msg), check.Thrown("copystack: stack too small"))
	if w.gp.Stack.Get() != old {
		t.Errorf("Copystack throws that the new stack is too small, and has already changed G1.Stack")
	}
	w = newWorld(t, 8192)
	w.atPrologue(0, 2048) // a call may have stored its return PC there
	msg = t.Throws(func() { w.s.Copystack(w.gp, 2048) })
	check.WantThrow(t, "Copystack of G1, which uses 2048 bytes, to 2048 bytes; it", check.Thrown(msg), "nothing")
}

// copyGuard checks that a request to stop outlives the stack.
func copyGuard(t *check.T) {
	w := asked(t, 2048)
	w.s.Copystack(w.gp, 4096)
	if w.gp.Sched.Guard.Load() != machine.StackPreempt {
		t.Errorf("G1 was asked to stop (Preempt is set) and its stack was copied; after it the guard is no longer StackPreempt, and the request is lost")
	}
	check.Want(t, "G1 was asked to stop, and its stack was copied; after it G1.Preempt", w.gp.Preempt.Get(), true)

	w = newWorld(t, 2048)
	w.atPrologue(0, 256)
	w.sees["Adjustctxt"] = func() { w.gp.Ask() }
	w.s.Copystack(w.gp, 4096)
	if w.gp.Sched.Guard.Load() != machine.StackPreempt {
		t.Errorf("while G1's stack was copied another M asked it to stop; after Copystack the guard is not StackPreempt, and the request is lost")
	}

	w = newWorld(t, 2048)
	w.atPrologue(0, 256)
	w.gp.Sched.Guard.Store(machine.StackForceMove)
	w.s.Copystack(w.gp, 2048)
	w.guarded("G1 was not asked to stop, and its stack was to move; after Copystack")
}

// context checks what Adjustctxt makes of the saved context.
func context(t *check.T) {
	w := newWorld(t, 2048)
	old := w.gp.Stack.Get()
	const delta = 1 << 16
	shift := func(addr machine.Addr) string {
		return fmt.Sprintf("%#x", uint64(addr))
	}
	for _, c := range []struct {
		what       string
		addr, want machine.Addr
	}{
		{"an address in the middle of the stack", old.Lo + 800, old.Lo + 800 + delta},
		{"the lowest address of the stack", old.Lo, old.Lo + delta},
		{"the last word of the stack", old.Hi - 8, old.Hi - 8 + delta},
		{"the address just behind the stack, which belongs to something else", old.Hi, old.Hi},
		{"an address below the stack", old.Lo - 8, old.Lo - 8},
		{"0", 0, 0},
	} {
		ctx := &w.gp.Sched
		for name, field := range map[string]*machine.Addr{"Args": &ctx.Args, "Fault": &ctx.Fault, "Ctxt": &ctx.Ctxt} {
			ctx.SP = old.Hi - 64
			*field = c.addr
			w.s.Adjustctxt(w.gp, gmp.Adjustinfo{Old: old, Delta: delta})
			if *field != c.want {
				t.Fatalf("the stack moves by %#x, and Sched.%s is %s, %s; after Adjustctxt it is %s; want %s", delta, name, c.what, shift(c.addr), shift(*field), shift(c.want))
			}
		}
	}
	for _, used := range []machine.Addr{0, 8, 512} {
		w.gp.Sched.SP = old.Hi - used
		w.s.Adjustctxt(w.gp, gmp.Adjustinfo{Old: old, Delta: delta})
		check.Want(t, fmt.Sprintf("the stack moves by %#x, and %d bytes of it are in use; after Adjustctxt these bytes, Hi + delta - SP,", delta, used), uint64(old.Hi+delta-w.gp.Sched.SP), uint64(used))
	}
}

// A cell is a word of a stack, so many bytes below its high end.
type cell struct {
	off     machine.Addr
	name    string
	pointer bool
}

// cells are the words of two frames: main.outer has called main.inner, which has called the
// runtime.
var cells = []cell{
	{56, "slot 0 of main.outer", false},
	{48, "slot 1 of main.outer, which is also argument 1 of main.inner", true},
	{40, "slot 2 of main.outer", false},
	{32, "slot 3 of main.outer", true},
	{24, "slot 4 of main.outer", true},
	{16, "slot 5 of main.outer", false},
	{96, "slot 0 of main.inner", true},
	{88, "slot 1 of main.inner", false},
	{80, "slot 2 of main.inner", true},
	{72, "slot 3 of main.inner", false},
}

// callers lets G1 stand in main.inner, called by main.outer.
func (w *world) callers() {
	m, hi := w.s.Machine, w.gp.Stack.Get().Hi
	m.SetWord(hi-8, uint64(goexitPC))
	m.SetWord(hi-64, uint64(outerCall+1))
	w.gp.Sched.SP, w.gp.Sched.PC = hi-96, innerTrap+1
	w.gp.Sched.Trap = machine.TrapGosched
	w.gp.Sched.Args = hi - 96
}

// contents are what may stand in a slot: where it points.
var contents = []struct {
	what string
	at   func(st machine.Stack) machine.Addr
	in   bool // the stack
}{
	{"an address in the stack", func(st machine.Stack) machine.Addr { return st.Hi - 40 }, true},
	{"the lowest address of the stack", func(st machine.Stack) machine.Addr { return st.Lo }, true},
	{"the last word of the stack", func(st machine.Stack) machine.Addr { return st.Hi - 8 }, true},
	{"an address in the heap", func(machine.Stack) machine.Addr { return machine.NilPage + 64 }, false},
	{"the address just behind the stack, which is no longer in it", func(st machine.Stack) machine.Addr { return st.Hi }, false},
	{"nil", func(machine.Stack) machine.Addr { return 0 }, false},
}

// through lets G1 stand in main.inner, called by main.plain, which has no pointers, and that by
// main.outer.
func (w *world) through() {
	m, hi := w.s.Machine, w.gp.Stack.Get().Hi
	m.SetWord(hi-8, uint64(goexitPC))
	m.SetWord(hi-64, uint64(outerCall+1))
	m.SetWord(hi-96, uint64(plainCall+1))
	w.gp.Sched.SP, w.gp.Sched.PC = hi-128, innerTrap+1
	w.gp.Sched.Trap = machine.TrapGosched
	w.gp.Sched.Args = hi - 128
}

// behind checks that the frames behind one without pointers are adjusted as well.
func behind(t *check.T) {
	w := newWorld(t, 2048)
	w.through()
	old := w.gp.Stack.Get()
	outer := cells[1:5] // of them, those that are pointers
	for _, c := range outer {
		w.s.Machine.SetWord(old.Hi-c.off, uint64(old.Hi-40))
	}
	w.s.Copystack(w.gp, 4096)
	st := w.gp.Stack.Get()
	for _, c := range outer {
		if got := machine.Addr(w.s.Machine.Word(st.Hi - c.off)); c.pointer && got != st.Hi-40 {
			t.Fatalf("main.outer has called main.plain, whose frame has no pointers, and that main.inner; after Copystack slot %d of main.outer is not adjusted: Copystack must adjust every frame of Machine.Frames (Adjustframe), also those behind a frame that has nothing to adjust", (56-c.off)/8)
		}
	}
}

// frames checks that slots with addresses are adjusted, and no others.
func frames(t *check.T) {
	for _, content := range contents {
		w := newWorld(t, 2048)
		w.callers()
		old := w.gp.Stack.Get()
		addr := content.at(old)
		for _, c := range cells {
			w.s.Machine.SetWord(old.Hi-c.off, uint64(addr))
		}
		w.s.Copystack(w.gp, 4096)
		st := w.gp.Stack.Get()
		for _, c := range cells {
			got, want := machine.Addr(w.s.Machine.Word(st.Hi-c.off)), addr
			if c.pointer && content.in {
				want += st.Hi - old.Hi
			}
			switch {
			case got == want:
			case c.pointer && got == addr:
				t.Errorf("%s held %s, and G1's stack has moved; it still leads to the old stack, which is freed: it is %#x; want %#x", c.name, content.what, uint64(got), uint64(want))
			case !c.pointer && want == addr:
				t.Errorf("%s is a number that only looks like %s (it is none of Frame.Pointers), and it was changed when the stack moved; the program would compute with a different number", c.name, content.what)
			default:
				t.Errorf("%s held %s, %#x; after the stack has moved it holds %#x; want %#x", c.name, content.what, uint64(addr), uint64(got), uint64(want))
			}
		}
		if t.Failed() {
			return
		}
	}
	behind(t)
}

// oneFrame checks Adjustframe alone: a frame at a time.
func oneFrame(t *check.T) {
	w := newWorld(t, 2048)
	w.callers()
	st := w.gp.Stack.Get()
	old := machine.Stack{Lo: st.Lo - 1<<15, Hi: st.Hi - 1<<15}
	for _, c := range cells {
		w.s.Machine.SetWord(st.Hi-c.off, uint64(old.Hi-32))
	}
	var all []machine.Frame
	w.s.Machine.Frames(&w.gp.Sched, func(fr machine.Frame) bool { all = append(all, fr); return true })
	w.s.Adjustframe(all[0], gmp.Adjustinfo{Old: old, Delta: 1 << 15})
	for _, c := range cells {
		inner := c.off > 64 || c.off == 48
		got := machine.Addr(w.s.Machine.Word(st.Hi - c.off))
		adjusted := got == st.Hi-32
		if adjusted != (c.pointer && inner) || !adjusted && got != old.Hi-32 {
			t.Errorf("Adjustframe of main.inner: %s is adjusted: %v; want %v", c.name, adjusted, c.pointer && inner)
		}
	}
	// A function that has not executed its ENTER has arguments, and no slots of its own.
	w.gp.Sched.PC, w.gp.Sched.SP, w.gp.Sched.Trap = 3, st.Hi-64, machine.TrapMorestack
	for _, c := range cells {
		w.s.Machine.SetWord(st.Hi-c.off, uint64(old.Hi-32))
	}
	all = nil
	w.s.Machine.Frames(&w.gp.Sched, func(fr machine.Frame) bool { all = append(all, fr); return true })
	w.s.Adjustframe(all[0], gmp.Adjustinfo{Old: old, Delta: 1 << 15})
	for _, c := range cells {
		adjusted := machine.Addr(w.s.Machine.Word(st.Hi-c.off)) == st.Hi-32
		if adjusted != (c.off == 48) {
			t.Errorf("Adjustframe of main.inner, which stands at its prologue: %s is adjusted: %v; want %v: below the stack pointer nothing is in use", c.name, adjusted, c.off == 48)
		}
	}
}

// sudogs checks that what others know of a G's stack is adjusted.
func sudogs(t *check.T) {
	w := newWorld(t, 2048)
	old := w.gp.Stack.Get()
	const delta = 1 << 15
	heap := machine.Addr(machine.NilPage + 128)
	before := []machine.Addr{old.Hi - 48, heap, 0, old.Lo, old.Hi, old.Hi - 8}
	after := []machine.Addr{old.Hi - 48 + delta, heap, 0, old.Lo + delta, old.Hi, old.Hi - 8 + delta}
	var first, last *gmp.Sudog
	var cases []gmp.Scase
	for _, addr := range before {
		sg := gmp.NewSudog()
		sg.G.Set(w.gp)
		sg.Elem.Set(addr)
		if first == nil {
			first = sg
		} else {
			last.Waitlink.Set(sg)
		}
		last = sg
		cases = append(cases, gmp.Scase{Elem: addr})
	}
	w.gp.Waiting.Set(first)
	w.gp.Selects.Set(cases)
	w.s.Adjustsudogs(w.gp, gmp.Adjustinfo{Old: old, Delta: delta})
	sg := first
	for i, want := range after {
		what := fmt.Sprintf("G1 waits in a select of %d cases; after Adjustsudogs", len(before))
		if got := sg.Elem.Get(); got != want {
			t.Errorf("%s Elem of sudog %d, which was %#x, is %#x; want %#x: whoever sends to G1 would write into a stack that is freed", what, i, uint64(before[i]), uint64(got), uint64(want))
		}
		if got := w.gp.Selects.Get()[i].Elem; got != want {
			t.Errorf("%s Elem of case %d of Selects, which was %#x, is %#x; want %#x", what, i, uint64(before[i]), uint64(got), uint64(want))
		}
		sg = sg.Waitlink.Get()
	}
	w = newWorld(t, 2048)
	w.s.Adjustsudogs(w.gp, gmp.Adjustinfo{Old: old, Delta: delta}) // it waits for nothing
}

// locks checks that channels are locked while a G that waits on them is copied.
func locks(t *check.T) {
	w := newWorld(t, 4096)
	w.atPrologue(0, 256)
	w.m0.Curg.Set(nil)
	w.gp.Atomicstatus.Store(gmp.Gwaiting | gmp.Gscan)
	elem := &machine.Type{Kind: machine.KindInt, Size: 8}
	a, b := w.s.NewHchan(w.m0, elem, 0), w.s.NewHchan(w.m0, elem, 0)
	var first, last *gmp.Sudog
	for i, c := range []*gmp.Hchan{a, a, b} {
		sg := gmp.NewSudog()
		sg.G.Set(w.gp)
		sg.C.Set(c)
		sg.Elem.Set(w.gp.Stack.Get().Hi - 24 - 8*machine.Addr(i))
		if first == nil {
			first = sg
		} else {
			last.Waitlink.Set(sg)
		}
		last = sg
	}
	w.gp.Waiting.Set(first)
	seen := ""
	w.sees["Adjustsudogs"] = func() {
		seen = fmt.Sprintf("the first %s, the second %s", held(a), held(b))
	}
	w.s.Copystack(w.gp, 2048)
	check.Want(t, "G1 waits in a select on two channels, on the first of them twice; when its sudogs are adjusted, which channels are locked:", seen, "the first locked, the second locked")
	check.Want(t, "after Copystack, which channels are locked:", fmt.Sprintf("the first %s, the second %s", held(a), held(b)), "the first free, the second free")
	check.Want(t, "after Copystack, Elem of the third sudog, in bytes below the high end of the new stack,", uint64(w.gp.Stack.Get().Hi-last.Elem.Get()), 40)
}

func held(c *gmp.Hchan) string {
	if check.Held(&c.Lock) {
		return "locked"
	}
	return "free"
}

// shrink checks when a stack shrinks, and how far.
func shrink(t *check.T) {
	for _, c := range []struct {
		size uint64
		used machine.Addr
		want uint64
	}{
		{2048, 64, 2048}, // no stack is smaller
		{4096, 64, 2048},
		{4096, 952, 2048},
		{4096, 960, 4096}, // with StackSmall a quarter
		{4096, 968, 4096},
		{8192, 1976, 4096},
		{8192, 1984, 8192},
		{32768, 64, 16384}, // by half, even if less would do
		{32768, 9000, 32768},
	} {
		for _, st := range []uint32{gmp.Grunning, gmp.Gwaiting | gmp.Gscan, gmp.Grunnable | gmp.Gscan} {
			w := newWorld(t, c.size)
			w.atPrologue(0, c.used)
			w.gp.Atomicstatus.Store(st)
			w.s.Shrinkstack(w.gp)
			what := fmt.Sprintf("G1, which is %s, uses %d bytes of a stack of %s; after Shrinkstack", gmp.StatusName(st), c.used, sizeName(c.size))
			check.Want(t, what+" the size in bytes", w.size(), c.want)
			w.moved(what, c.used)
			check.Want(t, what+" its state", check.State(w.gp), gmp.StatusName(st))
			if t.Failed() {
				return
			}
		}
	}
}

// shrinkSafe checks when a stack may not be moved.
func shrinkSafe(t *check.T) {
	for _, c := range []struct {
		why  string
		set  func(gp *gmp.G)
		safe bool
	}{
		{"nothing is in the way", func(*gmp.G) {}, true},
		{"G1 is in a system call (SyscallSP is not 0)", func(gp *gmp.G) { gp.SyscallSP.Set(gp.Sched.SP) }, false},
		{"a signal has stopped G1 between two instructions (AsyncSafe)", func(gp *gmp.G) { gp.AsyncSafe.Set(true) }, false},
		{"G1 was asked to stop", func(gp *gmp.G) { gp.Preempt.Set(true) }, true},
	} {
		w := newWorld(t, 8192)
		w.atPrologue(0, 64)
		c.set(w.gp)
		check.Want(t, c.why+"; IsShrinkStackSafe(G1)", w.s.IsShrinkStackSafe(w.gp), c.safe)
		msg := t.Throws(func() { w.s.Shrinkstack(w.gp) })
		want := "nothing"
		if !c.safe {
			want = check.Thrown("shrinkstack at bad time")
		}
		check.WantThrow(t, c.why+"; Shrinkstack", check.Thrown(msg), want)
	}
	for _, st := range []uint32{gmp.Gwaiting, gmp.Grunnable, gmp.Gsyscall} {
		w := newWorld(t, 8192)
		w.atPrologue(0, 64)
		w.gp.Atomicstatus.Store(st)
		msg := t.Throws(func() { w.s.Shrinkstack(w.gp) })
		check.WantThrow(t, "G1 is "+check.State(w.gp)+", and its scan bit is not set; Shrinkstack", check.Thrown(msg), check.Thrown("bad status in shrinkstack"))
	}
	w := newWorld(t, 8192)
	w.gp.Stack.Set(machine.Stack{})
	msg := t.Throws(func() { w.s.Shrinkstack(w.gp) })
	check.WantThrow(t, "G1 has no stack; Shrinkstack", check.Thrown(msg), check.Thrown("missing stack in shrinkstack"))
}
