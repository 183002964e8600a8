package machine

// A Context is what the machine needs in order to go on with a goroutine: the
// runtime's gobuf. A goroutine that does not run is its Context and its stack,
// nothing more; a switch is a change of the pointer given to Run.
//
// It belongs to the thread that runs it, except for Guard, which any thread
// may poison. Do not copy it while it may run.
//
// All that Run has computed is here or in memory when it returns, so a run that
// is cut into pieces anywhere gives the same result as one that is not.
//
// To name the line of a frame, a listing must not take a return address, which
// may already belong to the next line, or the next function. It takes the
// instruction before it, the CALL. Context.At does so for the top frame, and
// Machine.Frames for all others.
type Context struct {
	SP    Addr  // lowest address of the current frame; stacks grow downward
	Ctxt  Addr  // the closure register
	Guard Guard // ENTER traps to morestack below it; StackPreempt makes it always trap
	PC    PC

	// What the last Trap left. Trap is zero in a Context that has not run; when
	// one is used again for another goroutine, it must be made zero again, as Reset does.
	Trap  Trap
	Panic PanicCode // of TrapPanic
	Args  Addr      // of a call into the runtime: address of its block of arguments
	Fault Addr      // of TrapFault: the address; of TrapOutOfMemory: the size wanted
	X, Y  int64     // operands of TrapPanic
}

// Reset makes c the context of a goroutine that has not run and begins at pc, with its stack
// pointer at sp. It leaves the Guard alone, which another thread may be poisoning for the goroutine
// that c was of before; whoever resets c stores a new one afterwards.
func (c *Context) Reset(pc PC, sp Addr) {
	c.PC, c.SP, c.Ctxt = pc, sp, 0
	c.Trap, c.Args, c.Fault, c.Panic, c.X, c.Y = 0, 0, 0, 0, 0, 0
}

// At returns the instruction at which c stopped: the call, if it called the
// runtime, otherwise the one it executes next.
func (c *Context) At() PC {
	if c.Trap.IsCall() && c.PC > 0 {
		return c.PC - 1
	}
	return c.PC
}

// StackPreempt in Context.Guard is larger than any stack pointer, so that the
// next prologue traps: the runtime's stackPreempt.
const StackPreempt = 0xffff_ffff_ffff_fade

// StackForceMove in Context.Guard is larger than any stack pointer, too: for tests, which
// want the stack to move. The runtime's stackForceMove.
const StackForceMove = 0xffff_ffff_ffff_feed

// StackSmall is the number of bytes below Guard that the machine may use
// without a check: the return PC that CALL stores before the callee's ENTER.
// Guard is always at least this far above the end of the stack.
const StackSmall = 64
