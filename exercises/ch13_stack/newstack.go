// This file is yours: what you write in it is kept. The task is in README.md
// beside it, and this command checks your code:
//
//	go run ./autograder test ch13

// Package ch13 is stacks and cooperation: chapter 13, Go 1.2 to 1.4.
//
// A goroutine begins with 2 KB, and each function looks at its beginning whether there is
// room for its frame. If there is not, everything moves to a stack of twice the size, and
// each address that pointed into the old one is adjusted. The same look stops goroutines:
// the limit is set so high that no stack pointer passes it.
package ch13

import (
	"gosched/chapters/gmp"
)

// Parts are the parts of this chapter.
var Parts = gmp.Version{Stacks: NewStacks}

// stacks keeps nothing of its own: a stack belongs to its G.
//
// Stacks grows, moves and shrinks the stacks of Gs, and stops a G where it looks at its
// stack.
//
// A stack is Stack, [Lo, Hi); it grows downward, and [Sched.SP, Hi) is in use. Nothing on a
// stack says where the stack is, but what points into it does; so when it moves, each of
// these addresses grows by the same number, Adjustinfo.Delta, because distances from the
// high end stay as they are.
//
// Each prologue compares the stack pointer with the guard, Sched.Guard, and traps if it is
// below. An M that wants gp to stop first sets gp.Preempt and then stores
// machine.StackPreempt in the guard, which no stack pointer reaches. Preempt remembers the
// request where the guard is overwritten. From chapter 12 on it is the monitor that asks;
// until then it is a test.
type stacks struct {
	s *gmp.Sched
}

// NewStacks makes the Stacks of s.
func NewStacks(s *gmp.Sched) gmp.Stacks { return &stacks{s: s} }

// CanPreemptM reports whether the G that runs on mp may be stopped now: mp has no reason
// not to be interrupted (Locks is 0), and its P is Prunning, and so not taken away from
// it. The runtime's canPreemptM, which knows more such reasons.
func (p *stacks) CanPreemptM(mp *gmp.M) bool {
	panic(gmp.TODO("CanPreemptM"))
}

// Newstack answers TrapMorestack: the prologue at gp.Sched.PC, of gp, which is Grunning
// on mp, has found gp.Sched.SP too near to the guard, or the guard poisoned. Another M
// may poison it at any moment, also in here, so one reading of the guard decides which of
// three things Newstack does; a request that it has not read is left for the next
// prologue. If it returns with gp still mp's current G, the prologue runs again.
//
// With machine.StackPreempt in the guard gp is to stop. If mp may not be preempted now
// (CanPreemptM) the guard is put right, StackGuard bytes above the low end, and gp goes
// on; Preempt stays, so that it can be asked again. Otherwise, if PreemptShrink is set,
// Newstack clears it and calls Shrinkstack, since gp stands at a safe point; and then gp
// gives mp away: by GoschedImpl with preempted set, or, if PreemptStop is set, by
// PreemptPark (chapter 14). After that it may run on another M, and nothing of it is
// touched. It needs no room on its stack to stop, so that does not grow.
//
// With machine.StackForceMove the stack moves to another one of the same size: a test
// wants to see whether anything still points to the old one.
//
// Otherwise the stack grows to twice its size, or as often twice as it takes for what
// is in use, the frame of the function at gp.Sched.PC (Func.Frame words) and StackGuard
// bytes. If that is more than s.StackLimit(), it is not touched; Newstack writes
// "runtime: goroutine stack exceeds N-byte limit" and, on the next line, "runtime:
// sp=0x… stack=[0x…, 0x…]", with Sched.SP, Lo and Hi, to s.Stderr(), and throws "stack
// overflow".
//
// While the stack moves, gp is Gcopystack. The runtime's newstack.
func (p *stacks) Newstack(mp *gmp.M, gp *gmp.G) {
	// Holds: Either gp goes on with room for its frame, or mp has another G;
	//        and a request that comes meanwhile is seen by the next prologue.
	// Question: Another M poisons the guard at any moment, also between two of
	//           your lines. What have you decided by then, and who sees the
	//           request?
	panic(gmp.TODO("Newstack"))
}
