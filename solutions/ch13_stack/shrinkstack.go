package ch13

import (
	"gosched/chapters/gmp"
	"gosched/chapters/machine"
)

// Shrinkstack halves the stack of gp, if it uses little of it.
//
//course:exercise
func (p *stacks) Shrinkstack(gp *gmp.G) {
	//course:holds gp keeps room for what it has, and for the next calls; a stack that has just grown does not shrink at once.
	//course:question Why a quarter, and not half? Think of a G that calls and returns at the border.
	s := p.s
	//course:step Three mistakes of callers, which must not end in a moved stack.
	st := gp.Stack.Get()
	if st.Lo == 0 {
		s.Throw("missing stack in shrinkstack")
	}
	if status := gp.Atomicstatus.Load(); status&gmp.Gscan == 0 && status != gmp.Grunning {
		s.Throw("bad status in shrinkstack")
	}
	if !s.IsShrinkStackSafe(gp) {
		s.Throw("shrinkstack at bad time")
	}
	//course:step No stack is smaller than a new one.
	size := uint64(st.Hi - st.Lo)
	if size/2 < gmp.StartingStack {
		return
	}
	//course:step Only if less than a quarter is used, with the few bytes that the next call may take before it looks.
	if used := uint64(st.Hi-gp.Sched.SP) + machine.StackSmall; used >= size/4 {
		return
	}
	s.Copystack(gp, size/2)
}

// IsShrinkStackSafe reports whether all that points into gp's stack is known.
//
//course:exercise
func (p *stacks) IsShrinkStackSafe(gp *gmp.G) bool {
	//course:step Not in a system call, which may write there; and not where a signal has stopped it between two instructions.
	return gp.SyscallSP.Get() == 0 && !gp.AsyncSafe.Get()
}
