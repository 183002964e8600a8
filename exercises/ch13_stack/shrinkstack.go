// This file is yours: what you write in it is kept. The task is in README.md
// beside it, and this command checks your code:
//
//	go run ./autograder test ch13

package ch13

import (
	"gosched/chapters/gmp"
)

// Shrinkstack moves gp to a stack of half the size, if less than a quarter of its stack
// is in use, counting machine.StackSmall bytes below the stack pointer, and half of it is
// not less than StartingStack. The caller holds gp's scan bit, or gp is Grunning on the
// caller's own M and stands at a prologue. Throws "missing stack in shrinkstack" if gp
// has none, "bad status in shrinkstack" if neither is the case, and "shrinkstack at bad
// time" if it is not safe (IsShrinkStackSafe). The runtime's shrinkstack.
func (p *stacks) Shrinkstack(gp *gmp.G) {
	// Holds: gp keeps room for what it has, and for the next calls; a stack
	//        that has just grown does not shrink at once.
	// Question: Why a quarter, and not half? Think of a G that calls and
	//           returns at the border.
	panic(gmp.TODO("Shrinkstack"))
}

// IsShrinkStackSafe reports whether all addresses that point into gp's stack are known,
// and can be changed. They are not in a system call (SyscallSP is not 0), which may write
// to the stack at any moment; and not where a signal has stopped gp between two
// instructions (AsyncSafe), since the runtime's compiler then does not know each address.
// The runtime's isShrinkStackSafe, which has two more cases in Go 1.26: a G that is about to
// park on a channel (parkingOnChan), and one that waits only so that it can be suspended, and
// still runs on the system stack.
func (p *stacks) IsShrinkStackSafe(gp *gmp.G) bool {
	panic(gmp.TODO("IsShrinkStackSafe"))
}
