// Package ch13 holds the stacks of chapter 13. Until that chapter is reached
// its given form serves: it grows stacks and does nothing else.
package ch13

import (
	"fmt"

	"gosched/chapters/gmp"
)

// Given is the form that grows stacks and never preempts.
var Given = gmp.Version{Stacks: NewGiven}

type given struct{ s *gmp.Sched }

// NewGiven makes the given Stacks.
func NewGiven(s *gmp.Sched) gmp.Stacks { return &given{s: s} }

// Newstack doubles the stack of gp, whose next prologue found too little. The
// frame that it wants may be larger than the stack: then it doubles again.
func (p *given) Newstack(mp *gmp.M, gp *gmp.G) {
	size := uint64(gp.Stack.Get().Hi - gp.Stack.Get().Lo)
	used := uint64(gp.Stack.Get().Hi - gp.Sched.SP)
	need := used + p.wanted(gp) + gmp.StackGuard
	for size *= 2; size < need; size *= 2 {
	}
	if size > p.s.StackLimit() {
		fmt.Fprintf(p.s.Stderr(), "runtime: goroutine stack exceeds %d-byte limit\n", p.s.StackLimit())
		p.s.Throw("stack overflow")
	}
	p.s.Casgstatus(gp, gmp.Grunning, gmp.Gcopystack)
	p.s.Copystack(gp, size)
	p.s.Casgstatus(gp, gmp.Gcopystack, gmp.Grunning)
}

// wanted is the size in bytes of the frame that the prologue at gp's pc builds.
func (p *given) wanted(gp *gmp.G) uint64 {
	if f := p.s.Program().FuncAt(gp.Sched.PC); f != nil {
		return 8 * uint64(f.Frame)
	}
	return 0
}

// Copystack moves the used part of gp's stack to the top of a new one.
func (p *given) Copystack(gp *gmp.G, newsize uint64) {
	old, st := gp.Stack.Get(), p.s.Stackalloc(newsize)
	p.s.Machine.CopyStack(&gp.Sched, old, st)
	p.s.AdjustSudogs(gp, old, st)
	gp.Stack.Set(st)
	gp.Sched.Guard.Store(uint64(st.Lo) + gmp.StackGuard)
	p.s.Stackfree(old)
}

// Shrinkstack does nothing yet: no collector asks for it.
func (p *given) Shrinkstack(gp *gmp.G) {}
