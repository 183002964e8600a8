package machine

import "strings"

// Panics are the work of the program itself: package runtime, which is compiled
// with it, runs the deferred calls. It needs the machine in order to look at the
// stack. All that is known about panics is found there, so nothing has to be kept
// with the goroutine, and nothing adjusted when the stack moves:
//
//   - A function with defer statements has the list of its deferred calls in a
//     slot, Func.Defers. An entry of the list is two words: the next entry and a
//     closure without parameters.
//   - A panic, or a Goexit, that runs deferred calls is a frame of
//     Program.Unwind, whose first argument is the address of its record.

// The record of a panic, by the offsets of its fields.
const (
	panicArg        = 0  // the value, an interface
	panicRecovered  = 16 // bool
	panicGoexit     = 17 // bool: a Goexit
	panicRepanicked = 18 // bool: the next panic on the stack has the same value
)

// Sigpanic makes the goroutine of c panic with the runtime error that it has
// stopped at: when it goes on, it is in Program.Sigpanic, as if the instruction
// had called it. It reports false, and does nothing, if the program has no such
// function. The runtime's sigpanic, and all its functions that begin with panic.
func (m *Machine) Sigpanic(c *Context) bool {
	if c.Trap == TrapFault {
		c.Panic = PanicMem
	}
	return m.inject(c, m.Program.Sigpanic)
}

// inject lets the goroutine of c go on at the begin of function fn, without
// arguments, called by the instruction at which c is.
func (m *Machine) inject(c *Context, fn int) bool {
	if fn == 0 {
		return false
	}
	m.enter(c, c.At()+1, fn)
	c.Trap = TrapNone // c is at an instruction again, not after a call into the runtime
	return true
}

// enter calls function fn, without arguments, for c; it will return to pc.
func (m *Machine) enter(c *Context, pc PC, fn int) {
	c.SP -= 8
	m.SetWord(c.SP, uint64(pc))
	c.PC = m.entries[fn]
}

// PanicPlain makes the goroutine of c, which called the runtime, panic with a
// runtime error whose whole text is given. It reports false, and does nothing,
// if the program has no Sigpanic or there is no memory left for the text. The
// runtime's panic(plainError(text)).
func (t *Thread) PanicPlain(c *Context, text string) bool {
	if !t.panicText(c, PanicPlain, text) {
		return false
	}
	return t.m.inject(c, t.m.Program.Sigpanic)
}

// panicText notes in c a runtime error with a text of its own.
func (t *Thread) panicText(c *Context, code PanicCode, text string) bool {
	addr, ok := t.Alloc(int64(len(text)))
	if ok {
		copy(t.m.Bytes(addr, int64(len(text))), text)
		c.Panic, c.X, c.Y = code, int64(addr), int64(len(text))
	}
	return ok
}

// PanicText returns what Go prints for the panics of c after TrapGopanic, without
// the first "panic: ". The runtime's printpanics.
func (m *Machine) PanicText(c *Context) string {
	var all []Addr
	m.panics(c, func(p Addr) bool { all = append(all, p); return true })
	var text strings.Builder
	skip := false // a value is not printed twice in a row
	for i := len(all) - 1; i >= 0; i-- {
		p, flag := all[i], func(off Addr) bool { return m.Bytes(all[i]+off, 1)[0] != 0 }
		if flag(panicGoexit) {
			skip = false
			continue
		}
		if !skip {
			if text.Len() > 0 {
				text.WriteString("\n\tpanic: ")
			}
			text.WriteString(m.PanicString(int(m.Word(p+panicArg)), m.Word(p+panicArg+8)))
			switch {
			case flag(panicRecovered) && flag(panicRepanicked):
				text.WriteString(" [recovered, repanicked]")
			case flag(panicRecovered):
				text.WriteString(" [recovered]")
			}
		}
		skip = flag(panicRepanicked)
	}
	return text.String()
}

// isUnwind reports whether f is the function that runs deferred calls for a
// panic.
func (p *Program) isUnwind(f *Func) bool {
	return p.Unwind != 0 && f == &p.Funcs[p.Unwind]
}

// record returns the address of the record of a frame of Program.Unwind.
func (m *Machine) record(fr Frame) Addr { return Addr(m.Word(fr.Ret + 8*ArgBase)) }

// panics calls yield for the record of each panic on c's stack, the latest first.
func (m *Machine) panics(c *Context, yield func(p Addr) bool) {
	m.Frames(c, func(fr Frame) bool {
		if !m.Program.isUnwind(fr.Func) {
			return true
		}
		p := m.record(fr)
		return m.Valid(p, panicRepanicked+1) && yield(p)
	})
}

// hostNextDefer takes the next deferred call for the panic whose frame of Unwind
// is the current one. The number says how many frames further out its function
// is, 0 if there is none left.
func hostNextDefer(b block) Trap {
	m := b.t.m
	b.set(0, 0)
	b.set(1, 0)
	depth := uint64(0)
	m.Frames(b.c, func(fr Frame) bool {
		if fr.Func.Defers != 0 {
			list := fr.Ret - 8*Addr(fr.Func.Frame) + 8*Addr(fr.Func.Defers-1)
			if call := m.Word(list); call != 0 {
				entry := m.checked(call, 16)
				m.SetWord(list, wordAt(entry))
				b.set(0, wordAt(entry[8:]))
				b.set(1, depth)
				return false
			}
		}
		depth++
		return true
	})
	return TrapNone
}

// hostRecover returns the value of the panic that called the current function as
// a deferred one, and marks it as recovered; nil if there is none. Wrappers,
// which have no line, may be in between.
func hostRecover(b block) Trap {
	m := b.t.m
	b.set(0, 0)
	b.set(1, 0)
	first := true
	m.Frames(b.c, func(fr Frame) bool {
		if first { // the function itself
			first = false
			return true
		}
		if m.Program.isUnwind(fr.Func) {
			p := m.record(fr)
			mem := m.checked(uint64(p), panicRepanicked+1)
			if mem[panicRecovered] == 0 && mem[panicGoexit] == 0 {
				mem[panicRecovered] = 1
				b.set(0, wordAt(mem[panicArg:]))
				b.set(1, wordAt(mem[panicArg+8:]))
			}
			return false
		}
		return fr.Func.Line == 0
	})
	return TrapNone
}

// hostRecovery unwinds the stack to the frame that is so many further out, whose
// deferred call has recovered from the panic, and lets it return. A Goexit that
// was under way on the part that is cut off begins anew there.
func hostRecovery(b block) Trap {
	m, c := b.t.m, b.c
	depth := b.word(0)
	goexit := false
	var to Frame
	m.Frames(c, func(fr Frame) bool {
		if depth == 0 {
			to = fr
			return false
		}
		if m.Program.isUnwind(fr.Func) {
			goexit = goexit || m.checked(uint64(m.record(fr)), panicRepanicked+1)[panicGoexit] != 0
		}
		depth--
		return true
	})
	if to.Func == nil || to.Func.Recover == 0 {
		return TrapBadInstr
	}
	c.SP, c.PC = to.SP, to.Func.Recover
	if goexit {
		m.enter(c, to.Func.Recover, m.Program.Goexits)
	}
	return TrapNone
}

// hostPanicAt returns the record of the panic with the given index on the stack,
// the latest being 0, or 0; and whether the next one has the same value.
func hostPanicAt(b block) Trap {
	m := b.t.m
	i := b.word(0)
	b.set(1, 0)
	b.set(2, 0)
	m.panics(b.c, func(p Addr) bool {
		switch {
		case b.word(1) != 0:
			q := Addr(b.word(1))
			b.set(2, bit(m.Word(p) == m.Word(q) && m.Word(p+8) == m.Word(q+8)))
			if b.word(2) != 0 {
				m.Bytes(p+panicRepanicked, 1)[0] = 1
			}
			return false
		case i == 0:
			b.set(1, uint64(p))
		}
		i--
		return true
	})
	return TrapNone
}

// The kinds of runtime errors, which the program makes values of different types.
const (
	errorPlain  = iota // runtime.plainError
	errorString        // runtime.errorString
	errorBounds        // runtime.boundsError
	errorAssert        // *runtime.TypeAssertionError
)

// hostRuntimeError returns the runtime error for which Sigpanic was called.
func hostRuntimeError(b block) Trap {
	kind := errorString
	switch c := b.c.Panic; {
	case c == PanicPlain:
		kind = errorPlain
	case c == PanicAssert:
		kind = errorAssert
	case c == PanicIndex || c == PanicIndexU || c >= PanicSliceAlen && c <= PanicSlice3C || c == PanicArrayLen:
		kind = errorBounds
	}
	b.set(0, uint64(kind))
	return b.setString(1, []byte(b.t.m.RuntimeError(b.c)))
}
