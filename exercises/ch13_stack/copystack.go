// This file is yours: what you write in it is kept. The task is in README.md
// beside it, and this command checks your code:
//
//	go run ./autograder test ch13

package ch13

import (
	"gosched/chapters/gmp"
	"gosched/chapters/machine"
)

// Copystack moves what is in use of gp's stack to a new one of newsize bytes, which may
// be less than before; throws "copystack: stack too small" if it has no room for that.
// (There may be less than StackGuard bytes left: a prologue finds out.)
// All that points into the old stack is adjusted (Adjustsudogs, Adjustctxt, and
// Adjustframe for each frame), gp.Stack is the new one, the guard is StackGuard bytes
// above its low end, and then the old one is freed, once (Stackfree).
//
// The caller makes sure that gp does not run meanwhile: gp is Gcopystack or Grunning on
// the caller's own M, and stands at a safe point; or it does not run, and the caller
// holds its scan bit.
//
// gp may wait on channels, gp.Waiting. Whoever completes such an operation writes to the
// stack of gp, at the Elem of its sudog, or reads there, and holds the lock of the
// channel, but not gp. So all channels on gp.Waiting are locked, in the order of the
// list and each of them once, before anything is copied, and until all of gp's sudogs
// point into the new stack. (The list is sorted: equal channels stand side by side. The
// runtime locks only if the G has parked, activeStackChans; here a G that runs has no
// Waiting.)
//
// A request to stop is not lost: if gp.Preempt is set when the new guard is in its place,
// the guard is poisoned again. (The runtime's copystack may lose one; it is sent again.)
//
// The runtime's copystack.
func (p *stacks) Copystack(gp *gmp.G, newsize uint64) {
	// Holds: When the old stack is freed nothing points into it. What another
	//        M writes to gp's stack, or asks of gp, is there afterwards.
	// Question: gp waits on a channel, and a sender comes at this moment. To
	//           which of the two stacks does it write, before and after each
	//           of your steps?
	panic(gmp.TODO("Copystack"))
}

// Adjustsudogs adjusts what says where gp has values for those with whom it exchanges
// them: Elem of all its sudogs, gp.Waiting, by Waitlink, and of its Selects. The channels
// are locked. The runtime's adjustsudogs.
func (p *stacks) Adjustsudogs(gp *gmp.G, adj gmp.Adjustinfo) {
	panic(gmp.TODO("Adjustsudogs"))
}

// Adjustctxt adjusts gp's saved context: SP, and Args, Fault and Ctxt if they point into
// the old stack. The runtime's adjustctxt.
func (p *stacks) Adjustctxt(gp *gmp.G, adj gmp.Adjustinfo) {
	panic(gmp.TODO("Adjustctxt"))
}

// Adjustframe adjusts the slots of fr that hold an address in the old stack; fr is on the
// new stack, and so are its slots (Frame.Pointers). A slot that holds a number may look
// just like that; it is none of Pointers. A slot that belongs to two frames is met twice,
// and may be adjusted once. The runtime's adjustframe.
func (p *stacks) Adjustframe(fr machine.Frame, adj gmp.Adjustinfo) {
	// Holds: Each slot that held an address in the old stack holds that of the
	//        same word in the new one; all others are unchanged.
	// Question: A slot holds a number that happens to lie between Lo and Hi.
	//           How do you know that it is none of yours? And a pointer to the
	//           heap?
	panic(gmp.TODO("Adjustframe"))
}
