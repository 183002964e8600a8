package machine

// Frames calls yield for each frame of the goroutine that c is the context of,
// innermost first, until yield returns false or the function has been reached
// that Program.Goexit is the caller of. pc is the instruction at which the
// frame is, for a caller its CALL, so f.LineAt(pc) is the line of a listing. sp
// is the frame's lowest address; a function that has not executed its ENTER has
// no slots yet, and its return PC lies there.
//
// The goroutine must not run. Whatever is on its stack, Frames ends and does
// not panic; it stops where it meets what cannot be a frame.
func (m *Machine) Frames(c *Context, yield func(f *Func, pc PC, sp Addr) bool) {
	m.frames(c, func(fr frame) bool { return yield(fr.f, fr.pc, fr.sp) })
}

// A frame is an activation of f on a stack.
type frame struct {
	f  *Func
	pc PC
	sp Addr
	// ret is the address of the return PC. Slot i of f is at ret + 8*(i - f.Frame):
	// the function's own slots are below it, its arguments and results above.
	ret Addr
}

func (m *Machine) frames(c *Context, yield func(frame) bool) {
	p := m.Program
	pc, sp := c.At(), c.SP
	if sp%8 != 0 {
		return
	}
	for {
		f := p.FuncAt(pc)
		if f == nil || pc == p.Goexit {
			return
		}
		ret := sp
		if pc != f.Entry { // a caller's never is
			ret += 8 * Addr(f.Frame)
		}
		if !m.Valid(ret, 8) || !yield(frame{f, pc, sp, ret}) {
			return
		}
		caller := m.Word(ret)
		if caller == uint64(p.Goexit) || caller == 0 || caller >= uint64(len(p.Code)) {
			return
		}
		pc, sp = PC(caller)-1, ret+8
	}
}

// CopyStack moves the goroutine of c from stack old to stack new: it copies the
// part in use to the end of new, and adjusts c and every slot that may hold an
// address and holds one in old. That old is smaller or larger does not matter,
// but new must have room for what is in use. The goroutine must not run, and
// nothing else may point into its stack that the caller does not adjust itself.
// old is left as it is. The runtime's copystack without its policy.
func (m *Machine) CopyStack(c *Context, old, new Stack) {
	if c.SP < old.Lo || c.SP > old.Hi {
		throw("copystack: the stack pointer is not in the old stack")
	}
	used := old.Hi - c.SP
	if used > new.Hi-new.Lo {
		throw("copystack: the new stack is too small")
	}
	copy(m.words[(new.Hi-used)/8:new.Hi/8], m.words[c.SP/8:old.Hi/8])

	delta := new.Hi - old.Hi
	adjust := func(a Addr) Addr {
		if a >= old.Lo && a < old.Hi {
			return a + delta
		}
		return a
	}
	// Args and Fault speak of what the last trap left on the stack.
	c.SP += delta
	c.Args = adjust(c.Args)
	c.Fault = adjust(c.Fault)

	m.frames(c, func(fr frame) bool {
		// A slot that is an outgoing argument of this frame and an argument of
		// the callee is met twice. The second time it points into new, and is
		// left alone.
		for i := 0; i < int(fr.f.Frame)+ArgBase+int(fr.f.Args); i++ {
			at := fr.ret + 8*Addr(i) - 8*Addr(fr.f.Frame)
			if at < fr.sp || !fr.f.IsPointer(i) {
				continue
			}
			if at >= new.Hi {
				break
			}
			m.SetWord(at, uint64(adjust(Addr(m.Word(at)))))
		}
		return true
	})
}
