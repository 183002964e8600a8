package ch13_test

import (
	"testing"

	suite "gosched/chapters/ch13_stack"
	"gosched/chapters/check"
	"gosched/chapters/gmp"
	"gosched/chapters/machine"
	"gosched/solutions"
)

// Three parts, each correct except for one method, with the interleaving in which it goes
// wrong. In each method:
//
//   - find the two steps, one in each thread, that must not meet as they do here; if several
//     steps of a thread qualify, the last. Name each by words that are in its row alone, in
//     the function below: check.Met{One: "…", Other: "…"}, in either order
//   - mend the method, with the smallest change that makes it correct.

// A correct part is that of the course; s is the scheduler.
type right struct {
	gmp.Stacks
	s *gmp.Sched
}

// with is the part of the course with some methods replaced.
func with(mended func(right) gmp.Stacks) gmp.Version {
	return gmp.Version{Stacks: func(s *gmp.Sched) gmp.Stacks {
		return mended(right{solutions.Base("ch13").Stacks(s), s})
	}}
}

// channels locks the channels that gp waits on, or unlocks them, each once.
func (p right) channels(gp *gmp.G, do func(mu *machine.Mutex)) {
	var last *gmp.Hchan
	for sg := gp.Waiting.Get(); sg != nil; sg = sg.Waitlink.Get() {
		if c := sg.C.Get(); c != last {
			do(&c.Lock)
			last = c
		}
	}
}

// finish does what is left for Copystack when the sudogs are adjusted.
func (p right) finish(gp *gmp.G, st machine.Stack, adj gmp.Adjustinfo) {
	s := p.s
	s.Adjustctxt(gp, adj)
	s.Machine.Frames(&gp.Sched, func(fr machine.Frame) bool {
		s.Adjustframe(fr, adj)
		return true
	})
	gp.Stack.Set(st)
	gp.Sched.Guard.Store(uint64(st.Lo) + gmp.StackGuard)
	if gp.Preempt.Get() {
		gp.Sched.Guard.Store(machine.StackPreempt)
	}
	s.Stackfree(adj.Old)
}

// growMended grows a stack.
type growMended struct{ right }

// Newstack loses a request to stop.
//
//course:mend grow-guards-again
func (p growMended) Newstack(mp *gmp.M, gp *gmp.G) {
	p.Stacks.Newstack(mp, gp)
}

// growMet says which two steps met in Newstack of growMended.
//
//course:exercise
func growMet() check.Met {
	//course:lead The guard is written three times. Which of the values should have stayed?
	return check.Met{One: "59456 → -1314", Other: "-1314 → 59456"}
}

// yieldMended stops a G that was asked to.
type yieldMended struct{ right }

// Newstack takes away a request that is not the one it has served.
//
//course:mend yield-clears-late
func (p yieldMended) Newstack(mp *gmp.M, gp *gmp.G) {
	p.Stacks.Newstack(mp, gp)
}

// yieldMet says which two steps met in Newstack of yieldMended.
//
//course:exercise
func yieldMet() check.Met {
	//course:lead G1 was asked twice. Which of the two requests has M0 served, and which has it taken away?
	return check.Met{One: "gp.Preempt.Set(true) 0 → 1", Other: "gp.Preempt.Set(false) 1 → 0"}
}

// chanMended moves a stack.
type chanMended struct{ right }

// Copystack lets a value go to the wrong stack.
//
//course:mend copy-locks-late
func (p chanMended) Copystack(gp *gmp.G, newsize uint64) {
	s, old := p.s, gp.Stack.Get()
	used := old.Hi - gp.Sched.SP
	if uint64(used) > newsize {
		s.Throw("copystack: stack too small")
	}
	st := s.Stackalloc(newsize)
	adj := gmp.Adjustinfo{Old: old, Delta: st.Hi - old.Hi}
	p.channels(gp, (*machine.Mutex).Lock)
	s.Machine.Copy(st.Hi-used, gp.Sched.SP, int64(used))
	s.Adjustsudogs(gp, adj)
	p.channels(gp, (*machine.Mutex).Unlock)
	p.finish(gp, st, adj)
}

// chanMet says which two steps met in Copystack of chanMended.
//
//course:exercise
func chanMet() check.Met {
	//course:lead The sender holds the lock of the channel. Which of the other thread's steps touches the same words without it?
	return check.Met{One: "writes G1's slot", Other: "reads G1's stack"}
}

// TestMends runs the checks on what you have mended.
func TestMends(t *testing.T) {
	suite.Suite.TestMends(t, solutions.Base("ch13"), solutions.Mutants("ch13"), solutions.Mends("ch13"), map[string]check.Mending{
		"mend-guard": {Part: with(func(r right) gmp.Stacks { return growMended{r} }), Met: growMet},
		"mend-yield": {Part: with(func(r right) gmp.Stacks { return yieldMended{r} }), Met: yieldMet},
		"mend-chan":  {Part: with(func(r right) gmp.Stacks { return chanMended{r} }), Met: chanMet},
	})
}
