package ch13_test

import (
	"fmt"
	"math/bits"
	"slices"
	"testing"

	suite "gosched/chapters/ch13_stack"
	"gosched/chapters/gmp"
	"gosched/chapters/machine"
	"gosched/solutions"
	"gosched/solutions/ch13_stack"
)

// TestAlternatives plays the suite on other right solutions.
func TestAlternatives(t *testing.T) {
	alternatives := map[string]gmp.Version{}
	for name, wrap := range map[string]func(p base) gmp.Stacks{
		"by-reason":    func(p base) gmp.Stacks { return byReason{p} },
		"word-by-word": func(p base) gmp.Stacks { return wordByWord{p} },
		"sudogs-first": func(p base) gmp.Stacks { return sudogsFirst{p} },
		"slot-by-slot": func(p base) gmp.Stacks { return slotBySlot{p} },
		"looks-again":  func(p base) gmp.Stacks { return looksAgain{p} },
		"logarithms":   func(p base) gmp.Stacks { return logarithms{p} },
		"room-left":    func(p base) gmp.Stacks { return roomLeft{p} },
		"all-at-once":  func(p base) gmp.Stacks { return allAtOnce{looksAgain{p}, slotBySlot{p}, roomLeft{p}, logarithms{p}} },
	} {
		alternatives[name] = gmp.Version{Stacks: func(s *gmp.Sched) gmp.Stacks { return wrap(base{ch13.NewStacks(s), s}) }}
	}
	suite.Suite.TestAlternatives(t, solutions.Base("ch13"), alternatives)
}

// base is what an alternative does not do otherwise.
type base struct {
	gmp.Stacks
	s *gmp.Sched
}

// into is where an address leads when a stack has moved.
func into(a machine.Addr, adj gmp.Adjustinfo) machine.Addr {
	if a-adj.Old.Lo < adj.Old.Hi-adj.Old.Lo { // addresses below Lo wrap around
		return a + adj.Delta
	}
	return a
}

// byReason finds out first why the prologue has called.
type byReason struct{ base }

func (p byReason) Newstack(mp *gmp.M, gp *gmp.G) {
	switch p.s.CanPreemptM(mp) {
	case true:
		p.may(mp, gp, gp.Sched.Guard.Load())
	case false:
		if gp.Sched.Guard.Load() == machine.StackPreempt {
			gp.Sched.Guard.Store(uint64(gp.Stack.Get().Lo) + gmp.StackGuard)
			return
		}
		p.Stacks.Newstack(mp, gp)
	}
}

func (p byReason) may(mp *gmp.M, gp *gmp.G, guard uint64) {
	if guard != machine.StackPreempt {
		p.Stacks.Newstack(mp, gp)
		return
	}
	if shrinks := gp.PreemptShrink.Get(); shrinks {
		p.s.Shrinkstack(gp)
		gp.PreemptShrink.Set(false)
	}
	gp.Preempt.Set(false) // Execute would do so
	if stops := gp.PreemptStop.Get(); !stops {
		p.s.GoschedImpl(mp, gp, true)
	} else {
		p.s.PreemptPark(mp, gp)
	}
}

// wordByWord copies from the high end downward, and holds the locks to the end.
type wordByWord struct{ base }

func (p wordByWord) Copystack(gp *gmp.G, newsize uint64) {
	s, m := p.s, p.s.Machine
	old := gp.Stack.Get()
	if uint64(old.Hi-gp.Sched.SP) > newsize {
		s.Throw("copystack: stack too small")
	}
	var locked []*gmp.Hchan
	for sg := gp.Waiting.Get(); sg != nil; sg = sg.Waitlink.Get() {
		if c := sg.C.Get(); !slices.Contains(locked, c) {
			locked = append(locked, c)
			c.Lock.Lock()
			defer c.Lock.Unlock()
		}
	}
	st := s.Stackalloc(newsize)
	adj := gmp.Adjustinfo{Old: old, Delta: st.Hi - old.Hi}
	for at := old.Hi - 8; at >= gp.Sched.SP; at -= 8 {
		m.SetWord(at+adj.Delta, m.Word(at))
	}
	s.Adjustctxt(gp, adj)
	var frames []machine.Frame
	m.Frames(&gp.Sched, func(fr machine.Frame) bool { frames = append(frames, fr); return true })
	for _, fr := range slices.Backward(frames) {
		s.Adjustframe(fr, adj)
	}
	s.Adjustsudogs(gp, adj)
	gp.Stack.Set(st)
	p.guard(gp)
	s.Stackfree(old)
}

// guard stores gp's guard.
func (p base) guard(gp *gmp.G) {
	gp.Sched.Guard.Store(uint64(gp.Stack.Get().Lo) + gmp.StackGuard)
	if gp.Preempt.Get() {
		gp.Sched.Guard.Store(machine.StackPreempt)
	}
}

// sudogsFirst adjusts the sudogs and the cases, in the other order, before it copies: the
// channels are locked.
type sudogsFirst struct{ base }

func (p sudogsFirst) Copystack(gp *gmp.G, newsize uint64) {
	s := p.s
	old, used := gp.Stack.Get(), gp.Stack.Get().Hi-gp.Sched.SP
	if uint64(used) > newsize {
		s.Throw("copystack: stack too small")
	}
	st := s.Stackalloc(newsize)
	adj := gmp.Adjustinfo{Old: old, Delta: st.Hi - old.Hi}
	var chans []*gmp.Hchan
	for sg := gp.Waiting.Get(); sg != nil; sg = sg.Waitlink.Get() {
		chans = append(chans, sg.C.Get())
	}
	chans = slices.Compact(chans)
	for _, c := range chans {
		c.Lock.Lock()
	}
	s.Adjustsudogs(gp, adj)
	s.Machine.Copy(st.Hi-used, old.Hi-used, int64(used))
	for _, c := range slices.Backward(chans) {
		c.Lock.Unlock()
	}
	gp.Stack.Set(st)
	s.Adjustctxt(gp, adj)
	s.Machine.Frames(&gp.Sched, func(fr machine.Frame) bool {
		s.Adjustframe(fr, adj)
		return true
	})
	s.Stackfree(old)
	p.guard(gp)
}

func (p sudogsFirst) Adjustsudogs(gp *gmp.G, adj gmp.Adjustinfo) {
	var cases []gmp.Scase
	for _, sc := range gp.Selects.Get() {
		sc.Elem = into(sc.Elem, adj)
		cases = append(cases, sc)
	}
	gp.Selects.Set(cases)
	for sg := gp.Waiting.Get(); sg != nil; sg = sg.Waitlink.Get() {
		if elem := into(sg.Elem.Get(), adj); elem != sg.Elem.Get() {
			sg.Elem.Set(elem)
		}
	}
}

// slotBySlot asks of each slot whether it may hold an address.
type slotBySlot struct{ base }

func (p slotBySlot) Adjustframe(fr machine.Frame, adj gmp.Adjustinfo) {
	m, own := p.s.Machine, int(fr.Func.Frame)
	for i := own + machine.ArgBase + int(fr.Func.Args) - 1; i >= 0; i-- {
		at := fr.Ret + 8*machine.Addr(i-own)
		if at >= fr.SP && fr.Func.IsPointer(i) {
			m.SetWord(at, uint64(into(machine.Addr(m.Word(at)), adj)))
		}
	}
}

func (p slotBySlot) Adjustctxt(gp *gmp.G, adj gmp.Adjustinfo) {
	for _, field := range []*machine.Addr{&gp.Sched.Ctxt, &gp.Sched.Fault, &gp.Sched.Args} {
		*field = into(*field, adj)
	}
	gp.Sched.SP += adj.Delta
}

// looksAgain looks for a request a second time.
type looksAgain struct{ base }

func (p looksAgain) Copystack(gp *gmp.G, newsize uint64) {
	p.Stacks.Copystack(gp, newsize)
	if gp.Preempt.Get() && gp.Sched.Guard.Load() != machine.StackPreempt {
		gp.Sched.Guard.Store(machine.StackPreempt)
	}
}

// logarithms computes the size of the next stack.
type logarithms struct{ base }

func (p logarithms) Newstack(mp *gmp.M, gp *gmp.G) {
	s, st := p.s, gp.Stack.Get()
	switch gp.Sched.Guard.Load() {
	case machine.StackPreempt, machine.StackForceMove:
		p.Stacks.Newstack(mp, gp)
		return
	}
	need := uint64(st.Hi-gp.Sched.SP) + gmp.StackGuard
	if f := s.Program().FuncAt(gp.Sched.PC); f != nil {
		need += uint64(f.Frame) * 8
	}
	next := max(2*uint64(st.Hi-st.Lo), 1<<bits.Len64(need-1))
	if next > s.StackLimit() {
		fmt.Fprintf(s.Stderr(), "runtime: goroutine stack exceeds %d-byte limit\nruntime: sp=0x%x stack=[0x%x, 0x%x]\n", s.StackLimit(), uint64(gp.Sched.SP), uint64(st.Lo), uint64(st.Hi))
		s.Throw("stack overflow")
	}
	s.Casgstatus(gp, gmp.Grunning, gmp.Gcopystack)
	defer s.Casgstatus(gp, gmp.Gcopystack, gmp.Grunning)
	s.Copystack(gp, next)
}

func (p logarithms) CanPreemptM(mp *gmp.M) bool {
	switch {
	case mp.Locks.Get() > 0:
		return false
	default:
		return mp.P.Get().Status.Load() == gmp.Prunning
	}
}

// roomLeft looks at what would be left.
type roomLeft struct{ base }

func (p roomLeft) Shrinkstack(gp *gmp.G) {
	st := gp.Stack.Get()
	if st == (machine.Stack{}) {
		p.s.Throw("missing stack in shrinkstack")
	}
	if !p.s.IsShrinkStackSafe(gp) {
		p.s.Throw("shrinkstack at bad time")
	}
	switch gp.Atomicstatus.Load() {
	case gmp.Gwaiting, gmp.Grunnable, gmp.Gsyscall, gmp.Gdead, gmp.Gidle, gmp.Gcopystack, gmp.Gpreempted:
		p.s.Throw("bad status in shrinkstack")
	}
	half := uint64(st.Hi-st.Lo) / 2
	free := 2*half - uint64(st.Hi-gp.Sched.SP)
	if half >= gmp.StartingStack && free > half+half/2+machine.StackSmall {
		p.s.Copystack(gp, half)
	}
}

func (p roomLeft) IsShrinkStackSafe(gp *gmp.G) bool {
	if gp.AsyncSafe.Get() {
		return false
	}
	return gp.SyscallSP.Get() == 0
}

// allAtOnce has several of them.
type allAtOnce struct {
	looksAgain
	slotBySlot
	roomLeft
	logarithms
}

func (p allAtOnce) Newstack(mp *gmp.M, gp *gmp.G)              { p.logarithms.Newstack(mp, gp) }
func (p allAtOnce) CanPreemptM(mp *gmp.M) bool                 { return p.logarithms.CanPreemptM(mp) }
func (p allAtOnce) Copystack(gp *gmp.G, newsize uint64)        { p.looksAgain.Copystack(gp, newsize) }
func (p allAtOnce) Adjustsudogs(gp *gmp.G, adj gmp.Adjustinfo) { p.looksAgain.Adjustsudogs(gp, adj) }
func (p allAtOnce) Adjustctxt(gp *gmp.G, adj gmp.Adjustinfo)   { p.slotBySlot.Adjustctxt(gp, adj) }
func (p allAtOnce) Adjustframe(fr machine.Frame, adj gmp.Adjustinfo) {
	p.slotBySlot.Adjustframe(fr, adj)
}
func (p allAtOnce) Shrinkstack(gp *gmp.G)            { p.roomLeft.Shrinkstack(gp) }
func (p allAtOnce) IsShrinkStackSafe(gp *gmp.G) bool { return p.roomLeft.IsShrinkStackSafe(gp) }
