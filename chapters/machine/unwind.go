package machine

import "math/bits"

// A Frame is an activation of a function on a stack.
type Frame struct {
	Func *Func
	// PC is the instruction at which the frame is, for a caller its CALL, so
	// Func.LineAt(PC) is the line of a listing.
	PC PC
	// SP is its lowest address. A function that has not executed its ENTER has no
	// slots yet, and its return PC lies there.
	SP Addr
	// Ret is the address of the return PC. Slot i of Func is at Ret + 8*(i - Func.Frame):
	// the function's own slots are below it, its arguments and results above.
	Ret Addr
}

// Pointers calls yield for each slot of the frame that may hold an address, until yield
// returns false: its own slots, if it has them yet, and its arguments and results. at is
// the address of the slot. A slot in which the caller passes an argument is one of both
// functions, and comes with both frames. The runtime's getStackMap.
func (fr Frame) Pointers(yield func(at Addr) bool) {
	base := fr.Ret - 8*Addr(fr.Func.Frame)
	for i, word := range fr.Func.Pointers {
		for at := base + 512*Addr(i); word != 0; word &= word - 1 {
			if slot := at + 8*Addr(bits.TrailingZeros64(word)); slot >= fr.SP && !yield(slot) {
				return
			}
		}
	}
}

// Frames calls yield for each frame of the goroutine that c is the context of,
// innermost first, until yield returns false or the function has been reached
// that Program.Goexit is the caller of. It looks at return PCs and at SP alone, so
// that the slots of a frame may be changed in yield.
//
// The goroutine must not run. Whatever is on its stack, Frames ends and does
// not panic; it stops where it meets what cannot be a frame.
func (m *Machine) Frames(c *Context, yield func(fr Frame) bool) {
	p := m.Program
	pc, sp := c.At(), c.SP
	if sp%8 != 0 {
		return
	}
	var f *Func
	for {
		if f == nil || pc < f.Entry || pc >= f.End { // the caller is often the same function
			f = p.FuncAt(pc)
		}
		if f == nil || pc == p.Goexit {
			return
		}
		ret := sp
		if pc != f.Entry { // a caller's never is
			ret += 8 * Addr(f.Frame)
		}
		if !m.Valid(ret, 8) || !yield(Frame{f, pc, sp, ret}) {
			return
		}
		caller := m.Word(ret)
		if caller == uint64(p.Goexit) || caller == 0 || caller >= uint64(len(p.Code)) {
			return
		}
		pc, sp = PC(caller)-1, ret+8
	}
}
