package gmp

import "gosched/chapters/machine"

// An Adjustinfo says how a stack moves: what points into Old, [Lo, Hi), points Delta
// bytes further afterwards. Delta may be negative, as an Addr that wraps around. The
// runtime's adjustinfo.
type Adjustinfo struct {
	Old   machine.Stack
	Delta machine.Addr
}

// Ask asks gp to stop at its next prologue. Any M may call it; if gp does not run by then,
// or has stopped since, the request is forgotten when it runs again.
func (gp *G) Ask() {
	gp.Preempt.Set(true)
	gp.Sched.Guard.Store(machine.StackPreempt)
}

// MayMoreStackMove is an Options.MayMoreStack that moves the stack at every call. The
// runtime's mayMoreStackMove.
func MayMoreStackMove(mp *M, gp *G) { gp.Sched.Guard.Store(machine.StackForceMove) }

// MayMoreStackPreempt is one that stops the G at every call. The runtime's
// mayMoreStackPreempt.
func MayMoreStackPreempt(mp *M, gp *G) { gp.Ask() }

// MayMoreStackShrink is one that shrinks the stack at every call, if that is so little
// used, and stops the G.
func MayMoreStackShrink(mp *M, gp *G) {
	gp.PreemptShrink.Set(true)
	gp.Ask()
}
