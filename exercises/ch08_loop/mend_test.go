// This file is yours: what you write in it is kept. The task is in README.md
// beside it, and this command checks your code:
//
//	go run ./autograder test ch08

package ch08_test

import (
	"testing"

	suite "gosched/chapters/ch08_loop"
	"gosched/chapters/check"
	"gosched/chapters/gmp"
	"gosched/chapters/machine"
	"gosched/solutions"
)

// Three parts, each correct except for one method, with the interleaving in which it goes
// wrong. In each method:
//
//   - find the two steps, one in each thread, that must not meet as they do here. Name each
//     by words that are in its row alone, in the function below:
//     check.Met{One: "…", Other: "…"}, in either order
//   - mend the method, with the smallest change that makes it correct.
//
// In two of them M0, which has P0, makes Gs, and goes on with others, while M1, which has P1,
// finds nothing and gives up.

// A correct part is that of the course; s is the scheduler.
type right struct {
	gmp.Submission
	s *gmp.Sched
}

// with is the part of the course with some methods replaced.
func with(mended func(right) gmp.Submission) gmp.Version {
	return gmp.Version{Submission: func(s *gmp.Sched) gmp.Submission {
		return mended(right{solutions.Base("ch08").Submission(s), s})
	}}
}

// readyMended makes a waiting G ready.
type readyMended struct{ right }

// Ready leaves Gs beside an idle P. The ring of P0 is full, so Gs overflow to the global
// queue.
//
//	violated check:
//	  no M comes for what is on the global queue, G1, G3, and P1 is idle: M0 is busy, and all other Ms sleep
//
//	       M0                                  M1
//	       ─────────────────────────────────────────────────────────────────────────────────────────────
//	    1  gp.Atomicstatus.Load()  = 4
//	    2  gp.Atomicstatus.CompareAndSwap(oldval, newval)  4 → 1
//	    3  p.s.Npidle.Load()  = 0
//	    4  pp.Runqhead.Load()  = 0
//	    5  pp.Runqtail.Load()  = 2
//	    6  slot(pp, h+i).Load()  = G1
//	    7  pp.Runqhead.CompareAndSwap(h, h+n)  0 → 1
//	       ── M0 is preempted ──────────────────────────────────────────────────────────────────────────
//	 8-27                                      schedule(…): sees s.Runqsize = 0,
//	                                             locks sched.lock, pp.M M#1 → nil, pp.Status 1 → 0,
//	                                             s.Npidle 0 → 1
//	       ── M1 waits ─────────────────────────────────────────────────────────────────────────────────
//	   28  p.s.Lock.Lock()  (sched.lock)
//	   29  l.s.Runqsize.Store(n)  0 → 2
//	   30  p.s.Lock.Unlock()  (sched.lock)
//
//	1 preemption; with fewer, nothing goes wrong
func (p readyMended) Ready(mp *gmp.M, gp *gmp.G, next bool) {
	s := p.s
	if gp.Atomicstatus.Load()&^gmp.Gscan != gmp.Gwaiting {
		s.Throw("bad g->status in ready")
	}
	s.Casgstatus(gp, gmp.Gwaiting, gmp.Grunnable)
	s.Wakep(mp)
	s.Runqput(mp.P.Get(), gp, next)
}

// readyMet says which two steps met in Ready of readyMended.
func readyMet() check.Met {
	panic(gmp.TODO("readyMet"))
}

// newprocMended starts a goroutine.
type newprocMended struct{ right }

// Newproc looks at a G that by then is a different goroutine.
//
//	data race:
//	  M0 reads gp.Goid, and M1 writes it: neither waits for the other, so M0 may see the old value or the new one
//	  nothing orders the two: there is no lock that both hold, and the last step of M0 that M1 has learned of is step 3, gp.Atomicstatus.Store(st), which came before this
//	  M0: gp.Goid.Get() in Newproc, called by starts, mstart, Go
//	  M1: gp.Goid.Set(gp.Goid.Get()) in taken
//
//	       M0                                  M1
//	       ─────────────────────────────────────────────────────────────────────────────────────────────
//	    1  gp.Sched.Guard.Store(uint64(gp.Stack.Get().Lo) + StackGuard)  0 → 61504
//	    2  s.Goidgen.Add(1)  1 → 2
//	    3  gp.Atomicstatus.Store(st)  0 → 1
//	    4  gp.Atomicstatus.Load()  = 1
//	    5  s.Allglock.Lock()  (allglock)
//	    6  s.Allglen.Add(1)  1 → 2
//	    7  s.Allglock.Unlock()  (allglock)
//	    8  pp.M.Set(mp)  nil → M1
//	    9  pp.Status.Store(gmp.Prunning)  0 → 1
//	       gp.Goid.Get() ◀
//	       ── M0 is preempted ──────────────────────────────────────────────────────────────────────────
//	                                           takes G2 off its queue, runs it to its end, and makes a
//	                                             new G of it
//	       ── M1 stands before its first step ──────────────────────────────────────────────────────────
//	10-17  the G ends, and becomes another: gp.Atomicstatus 2 → 6, mp.Curg G1 → nil, gp.Preempt 0 → 0,
//	         gp.PreemptStop 0 → 0, locks sched.sudoglock
//	       ── M0 ends ──────────────────────────────────────────────────────────────────────────────────
//	18-19                                      Execute(…): mp.Curg nil → G2,
//	                                             gp.Atomicstatus 1 → 2
//	                                           gp.Goid.Set(gp.Goid.Get()) ◀
//
//	0 preemptions
func (p newprocMended) Newproc(mp *gmp.M, fn machine.Addr) {
	s := p.s
	callergp, callerpc := mp.Curg.Get(), machine.PC(0)
	if callergp != nil {
		callerpc = callergp.Sched.PC
	}
	gp := s.Newproc1(mp, fn, callergp, callerpc)
	s.Runqput(mp.P.Get(), gp, true)
	if gp.Goid.Get() != 1 {
		s.Wakep(mp)
	}
}

// newprocMet says which two steps met in Newproc of newprocMended.
func newprocMet() check.Met {
	panic(gmp.TODO("newprocMet"))
}

// yieldMended takes a G off its M, so that others run before it.
type yieldMended struct{ right }

// GoschedImpl leaves a G beside an idle P.
//
//	violated check:
//	  no M comes for what is on the global queue, G1, and P1 is idle: M0 is busy, and all other Ms sleep
//
//	       M0                                  M1
//	       ─────────────────────────────────────────────────────────────────────────────────────────────
//	 1-20                                      schedule(…): sees s.Runqsize = 0,
//	                                             locks sched.lock, pp.M M#1 → nil, pp.Status 1 → 0,
//	                                             s.Npidle 0 → 1
//	       ── M1 waits ─────────────────────────────────────────────────────────────────────────────────
//	21-25  GoschedImpl(…): gp.Atomicstatus 2 → 1, mp.Curg G1 → nil,
//	         locks sched.lock, s.Runqsize 0 → 1
//
//	0 preemptions
func (p yieldMended) GoschedImpl(mp *gmp.M, gp *gmp.G, preempted bool) {
	s := p.s
	s.Casgstatus(gp, gmp.Grunning, gmp.Grunnable)
	s.Dropg(mp)
	s.Lock.Lock()
	s.Globrunqput(gp)
	s.Lock.Unlock()
	s.Schedule(mp)
}

// yieldMet says which two steps met in GoschedImpl of yieldMended.
func yieldMet() check.Met {
	panic(gmp.TODO("yieldMet"))
}

// TestMends runs the checks on what you have mended.
func TestMends(t *testing.T) {
	suite.Suite.TestMends(t, solutions.Base("ch08"), solutions.Mutants("ch08"), solutions.Mends("ch08"), map[string]check.Mending{
		"mend-ready":   {Part: with(func(r right) gmp.Submission { return readyMended{r} }), Met: readyMet},
		"mend-newproc": {Part: with(func(r right) gmp.Submission { return newprocMended{r} }), Met: newprocMet},
		"mend-yield":   {Part: with(func(r right) gmp.Submission { return yieldMended{r} }), Met: yieldMet},
	})
}
