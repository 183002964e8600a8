// This file is yours: what you write in it is kept. The task is in README.md
// beside it, and this command checks your code:
//
//	go run ./autograder test ch13

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
//	violated check:
//	  G1 was asked to stop, it has not stopped, and its guard is not StackPreempt: the request is lost, and G1 runs on
//
//	       M0                                  asker
//	       ─────────────────────────────────────────────────────────────────────────────────────────────
//	    1  gp.Sched.Guard.Load()  = 63552
//	    2  gp.Atomicstatus.CompareAndSwap(oldval, newval)  2 → 8
//	       s.Machine.Copy(st.Hi-used, gp.Sched.SP, int64(used))  reads G1's stack
//	       s.Machine.Copy(st.Hi-used, gp.Sched.SP, int64(used))  writes 0xf300
//	    3  gp.Sched.Guard.Store(uint64(st.Lo) + gmp.StackGuard)  63552 → 59456
//	    4  gp.Preempt.Get()  = 0
//	       s.Stackfree(old)  writes 0xf800
//	    5  gp.Atomicstatus.CompareAndSwap(oldval, newval)  8 → 2
//	       ── M0 is preempted ──────────────────────────────────────────────────────────────────────────
//	    6                                      gp.Preempt.Set(true)  0 → 1
//	    7                                      Sched.Guard.Store(…)  59456 → -1314
//	    8                                      asked.Wakeup()
//	       ── asker ends ───────────────────────────────────────────────────────────────────────────────
//	    9  gp.Sched.Guard.Store(…)  -1314 → 59456
//	   10  asked.Sleep()
//	   11  gp.Sched.Guard.Load()  = 59456
//
//	1 preemption; with fewer, nothing goes wrong
func (p growMended) Newstack(mp *gmp.M, gp *gmp.G) {
	p.Stacks.Newstack(mp, gp)
	if mp.Curg.Get() == gp {
		gp.Sched.Guard.Store(uint64(gp.Stack.Get().Lo) + gmp.StackGuard)
	}
}

// growMet says which two steps met in Newstack of growMended.
func growMet() check.Met {
	panic(gmp.TODO("growMet"))
}

// yieldMended stops a G that was asked to.
type yieldMended struct{ right }

// Newstack takes away a request that is not the one it has served.
//
//	violated check:
//	  G1 has stopped and runs again, on another M; there it was asked a second time, and this request was taken away by the M that had let go of G1 before
//
//	       M0                                  M1
//	       ─────────────────────────────────────────────────────────────────────────────────────────────
//	    1  gp.Sched.Guard.Load()  = -1314
//	    2  gp.Sched.Guard.Load()  = -1314
//	    3  mp.P.Get().Status.Load()  = 1
//	    4  gp.PreemptShrink.Get()  = 0
//	    5  gp.PreemptStop.Get()  = 0
//	    6  gp.Atomicstatus.CompareAndSwap(oldval, newval)  2 → 1
//	    7  mp.Curg.Set(nil)  G1 → nil
//	    8  pp.M.Set(mp)  nil → M1
//	    9  pp.Status.Store(gmp.Prunning)  0 → 1
//	       ── M0 is preempted ──────────────────────────────────────────────────────────────────────────
//	   10                                      request.Set(false)  1 → 0
//	   11                                      Sched.Guard.Store(…)  -1314 → 63552
//	   12                                      mp.Curg.Set(gp)  nil → G1
//	   13                                      gp.Atomicstatus.CompareAndSwap(…)
//	                                             1 → 2
//	                                           G1 runs again, and is asked again
//	   14                                      gp.Preempt.Set(true)  0 → 1
//	   15                                      Sched.Guard.Store(…)  63552 → -1314
//	       ── M1 is preempted ──────────────────────────────────────────────────────────────────────────
//	   16  gp.Preempt.Set(false)  1 → 0
//	       ── M0 ends ──────────────────────────────────────────────────────────────────────────────────
//	   17                                      gp.Preempt.Get()  = 0
//
//	2 preemptions; with fewer, nothing goes wrong
func (p yieldMended) Newstack(mp *gmp.M, gp *gmp.G) {
	asked := gp.Sched.Guard.Load() == machine.StackPreempt
	p.Stacks.Newstack(mp, gp)
	if asked {
		gp.Preempt.Set(false)
	}
}

// yieldMet says which two steps met in Newstack of yieldMended.
func yieldMet() check.Met {
	panic(gmp.TODO("yieldMet"))
}

// chanMended moves a stack.
type chanMended struct{ right }

// Copystack lets a value go to the wrong stack.
//
//	data race:
//	  M2 writes G1's slot, and shrinker reads it: neither waits for the other, so shrinker may see the old value
//	  nothing orders the two: there is no lock that both hold, no wake-up, and no atomic variable through which shrinker would learn that M2 has done this
//	  M2: p.s.Typedmemmove(c.Elem, sg.Elem.Get(), elem) in Send, called by Chansend, raceChan, mstart, Go
//	  shrinker: s.Machine.Copy(st.Hi-used, gp.Sched.SP, int64(used)) in Copystack, called by shrinks
//
//	       M2                                  shrinker
//	       ─────────────────────────────────────────────────────────────────────────────────────────────
//	    1  c.Lock.Lock()  (hchan.lock)
//	       p.s.Typedmemmove(c.Elem, sg.Elem.Get(), elem)  reads G2's slot
//	       p.s.Typedmemmove(c.Elem, sg.Elem.Get(), elem)  writes G1's slot ◀
//	    2  c.Lock.Unlock()  (hchan.lock)
//	    3  gp.Atomicstatus.Load()  = 4
//	       ── M2 is preempted ──────────────────────────────────────────────────────────────────────────
//	    4                                      gp.Atomicstatus.CompareAndSwap(…)
//	                                             4 → 4100
//	                                           s.Machine.Copy(…) ◀
//	                                             reads G1's stack
//
//	1 preemption; with fewer, nothing goes wrong
func (p chanMended) Copystack(gp *gmp.G, newsize uint64) {
	s, old := p.s, gp.Stack.Get()
	used := old.Hi - gp.Sched.SP
	if uint64(used) > newsize {
		s.Throw("copystack: stack too small")
	}
	st := s.Stackalloc(newsize)
	adj := gmp.Adjustinfo{Old: old, Delta: st.Hi - old.Hi}
	s.Machine.Copy(st.Hi-used, gp.Sched.SP, int64(used))
	p.channels(gp, (*machine.Mutex).Lock)
	s.Adjustsudogs(gp, adj)
	p.channels(gp, (*machine.Mutex).Unlock)
	p.finish(gp, st, adj)
}

// chanMet says which two steps met in Copystack of chanMended.
func chanMet() check.Met {
	panic(gmp.TODO("chanMet"))
}

// TestMends runs the checks on what you have mended.
func TestMends(t *testing.T) {
	suite.Suite.TestMends(t, solutions.Base("ch13"), solutions.Mutants("ch13"), solutions.Mends("ch13"), map[string]check.Mending{
		"mend-guard": {Part: with(func(r right) gmp.Stacks { return growMended{r} }), Met: growMet},
		"mend-yield": {Part: with(func(r right) gmp.Stacks { return yieldMended{r} }), Met: yieldMet},
		"mend-chan":  {Part: with(func(r right) gmp.Stacks { return chanMended{r} }), Met: chanMet},
	})
}
