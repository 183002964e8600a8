// Package ch13 is stacks and cooperation: chapter 13, Go 1.2 to 1.4.
//
// A goroutine begins with 2 KB, and each function looks at its beginning whether there is
// room for its frame. If there is not, everything moves to a stack of twice the size, and
// each address that pointed into the old one is adjusted. The same look stops goroutines:
// the limit is set so high that no stack pointer passes it.
package ch13

import (
	"fmt"

	"gosched/chapters/gmp"
	"gosched/chapters/machine"
)

// Parts are the parts of this chapter.
var Parts = gmp.Version{Stacks: NewStacks}

// stacks keeps nothing of its own: a stack belongs to its G.
type stacks struct {
	s *gmp.Sched
}

// NewStacks makes the Stacks of s.
func NewStacks(s *gmp.Sched) gmp.Stacks { return &stacks{s: s} }

// CanPreemptM reports whether the G that runs on mp may be stopped now.
//
//course:exercise
func (p *stacks) CanPreemptM(mp *gmp.M) bool {
	//course:step No reason not to interrupt it, and a P that nobody has taken away.
	return mp.Locks.Get() == 0 && mp.P.Get().Status.Load() == gmp.Prunning
}

// Newstack answers a prologue that may not go on.
//
//course:exercise
func (p *stacks) Newstack(mp *gmp.M, gp *gmp.G) {
	//course:holds Either gp goes on with room for its frame, or mp has another G; and a request that comes meanwhile is seen by the next prologue.
	//course:question Another M poisons the guard at any moment, also between two of your lines. What have you decided by then, and who sees the request?
	//course:lead The guard says why the prologue has called. Three reasons are possible; which of them can become another one while you look?
	s := p.s
	//course:step Read the guard once: it may change between two looks.
	guard := gp.Sched.Guard.Load()
	//course:step If it is poisoned with StackPreempt, gp is to stop. If that is not possible now put the guard right, and go on: Preempt remembers.
	if guard == machine.StackPreempt {
		if !s.CanPreemptM(mp) {
			gp.Sched.Guard.Store(uint64(gp.Stack.Get().Lo) + gmp.StackGuard)
			return
		}
		//course:step Otherwise gp is at a safe point. If its stack is to shrink, this is the moment.
		if gp.PreemptShrink.Get() {
			gp.PreemptShrink.Set(false)
			s.Shrinkstack(gp)
		}
		//course:step Give mp away. Do not touch gp after that: it may run elsewhere. Execute ends the request when gp runs again.
		if gp.PreemptStop.Get() {
			s.PreemptPark(mp, gp)
			return
		}
		s.GoschedImpl(mp, gp, true)
		return
	}
	//course:step Otherwise the stack is too small: twice the size, and once more until the frame has room. Func.Frame is in words.
	st := gp.Stack.Get()
	size := uint64(st.Hi - st.Lo)
	if guard != machine.StackForceMove {
		need := uint64(st.Hi-gp.Sched.SP) + frameBytes(s, gp) + gmp.StackGuard
		for size *= 2; size < need; size *= 2 {
		}
	}
	//course:step There is a limit, so that a recursion that never ends does not take all memory.
	if size > s.StackLimit() {
		fmt.Fprintf(s.Stderr(), "runtime: goroutine stack exceeds %d-byte limit\n", s.StackLimit())
		fmt.Fprintf(s.Stderr(), "runtime: sp=%#x stack=[%#x, %#x]\n", uint64(gp.Sched.SP), uint64(st.Lo), uint64(st.Hi))
		s.Throw("stack overflow")
	}
	//course:step Move it. Meanwhile gp's state says so to whoever wants to look at its stack.
	s.Casgstatus(gp, gmp.Grunning, gmp.Gcopystack)
	s.Copystack(gp, size)
	s.Casgstatus(gp, gmp.Gcopystack, gmp.Grunning)
}

// frameBytes is the size in bytes of the frame that the prologue at gp's pc builds.
//
//course:omit
func frameBytes(s *gmp.Sched, gp *gmp.G) uint64 {
	if f := s.Program().FuncAt(gp.Sched.PC); f != nil {
		return 8 * uint64(f.Frame)
	}
	return 0
}
