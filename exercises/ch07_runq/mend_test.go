// This file is yours: what you write in it is kept. The task is in README.md
// beside it, and this command checks your code:
//
//	go run ./autograder test ch07

package ch07_test

import (
	"testing"

	suite "gosched/chapters/ch07_runq"
	"gosched/chapters/check"
	"gosched/chapters/gmp"
	"gosched/chapters/machine"
	"gosched/solutions"
)

// Three queues, each correct except for one method, with the interleaving in which it
// goes wrong. In each method:
//
//   - find the two steps, one in each thread, that must not meet as they do here. Name each
//     by words that are in its row alone, in the function below:
//     check.Met{One: "…", Other: "…"}, in either order
//   - mend the method, with the smallest change that makes it correct.

// A correct queue is that of the course; s is the scheduler.
type right struct {
	gmp.RunQueue
	s *gmp.Sched
}

// with is the queue of the course with some methods replaced.
func with(mended func(right) gmp.RunQueue) gmp.Version {
	return gmp.Version{RunQueue: func(s *gmp.Sched) gmp.RunQueue {
		return mended(right{solutions.Base("ch07").RunQueue(s), s})
	}}
}

// slot returns the slot of the G with number i on pp's ring.
func slot(pp *gmp.P, i uint32) *machine.Pointer[gmp.G] {
	return &pp.Runq[i%uint32(len(pp.Runq))]
}

// putMended puts at the tail. A G that is to run next, or finds the ring full, it leaves to
// the correct queue.
type putMended struct{ right }

// Runqput loses a G.
//
//	violated check:
//	  G1 is lost: owner put it, and it was never taken
//
//	       owner                               thief
//	       ─────────────────────────────────────────────────────────────────────────────────────────────
//	       puts G1
//	    1  pp.Runqhead.Load()  = 0
//	    2  pp.Runqtail.Load()  = 0
//	    3  pp.Runqtail.Store(t + 1)  0 → 1
//	       ── owner is preempted ───────────────────────────────────────────────────────────────────────
//	  4-9                                      runqgrab(…): sees pp.Runqtail = 1,
//	                                             sees slot(pp, h+i) = nil, into(i) nil → nil,
//	                                             pp.Runqhead 0 → 1 · takes nil
//	       ── thief ends ───────────────────────────────────────────────────────────────────────────────
//	   10  slot(pp, t).Store(gp)  nil → G1
//	11-14  puts G2 · runqput(…): sees pp.Runqhead = 1, pp.Runqtail 1 → 2,
//	         slot(pp, t) nil → G2
//	15-19  runqget(…): pp.Runqhead 1 → 2 · takes G2 · puts G3
//	20-23  runqput(…): pp.Runqtail 2 → 3, slot(pp, t) G1 → G3
//	24-28  runqget(…): pp.Runqhead 2 → 3 · takes G3
//
//	1 preemption; with fewer, nothing goes wrong
func (p putMended) Runqput(pp *gmp.P, gp *gmp.G, next bool) {
	h := pp.Runqhead.Load()
	t := pp.Runqtail.Load()
	if next || t-h == uint32(len(pp.Runq)) {
		p.RunQueue.Runqput(pp, gp, next)
		return
	}
	pp.Runqtail.Store(t + 1)
	slot(pp, t).Store(gp)
}

// putMet says which two steps met in Runqput of putMended.
func putMet() check.Met {
	panic(gmp.TODO("putMet"))
}

// nextMended puts next, and leaves the rest to the correct queue.
type nextMended struct{ right }

// Runqput lets a G run twice.
//
//	violated check:
//	  G1 is doubled: it was put once and taken twice, by thief after step 11 and by owner after step 23
//
//	       owner                               thief
//	       ─────────────────────────────────────────────────────────────────────────────────────────────
//	  1-2  puts G1 · runqput(…): pp.Runnext nil → G1 · puts G2
//	    3  pp.Runnext.Load()  = G1
//	       ── owner is preempted ───────────────────────────────────────────────────────────────────────
//	 4-11                                      runqgrab(…): sees pp.Runqhead = 0,
//	                                             sees pp.Runqtail = 0, pp.Runnext G1 → nil,
//	                                             into(0) nil → G1 · takes G1
//	       ── thief ends ───────────────────────────────────────────────────────────────────────────────
//	   12  pp.Runnext.Store(gp)  nil → G2
//	   13  pp.Runqhead.Load()  = 0
//	   14  pp.Runqtail.Load()  = 0
//	   15  slot(pp, t).Store(gp)  nil → G1
//	   16  pp.Runqtail.Store(t + 1)  0 → 1
//	17-18  runqget(…): pp.Runnext G2 → nil · takes G2
//	19-23  runqget(…): pp.Runqhead 0 → 1 · takes G1
//
//	1 preemption; with fewer, nothing goes wrong
func (p nextMended) Runqput(pp *gmp.P, gp *gmp.G, next bool) {
	if next {
		old := pp.Runnext.Load()
		pp.Runnext.Store(gp)
		if gp = old; gp == nil {
			return
		}
	}
	p.RunQueue.Runqput(pp, gp, false)
}

// nextMet says which two steps met in Runqput of nextMended.
func nextMet() check.Met {
	panic(gmp.TODO("nextMet"))
}

// emptyMended reports whether a P has no G.
type emptyMended struct{ right }

// Runqempty says so of a P that has had one all the time.
//
//	violated check:
//	  Runqempty says that the P has no G, although it always had one; an M that believes it goes to sleep
//
//	       owner                               observer
//	       ─────────────────────────────────────────────────────────────────────────────────────────────
//	       check: puts G1
//	       puts G2
//	       ── owner stands before its first step ───────────────────────────────────────────────────────
//	    1                                      pp.Runqhead.Load()  = 0
//	    2                                      pp.Runqtail.Load()  = 0
//	       ── observer is preempted ────────────────────────────────────────────────────────────────────
//	  3-7  runqput(…): pp.Runnext G1 → G2, slot(pp, t) nil → G1, pp.Runqtail 0 → 1
//	  8-9  runqget(…): pp.Runnext G2 → nil · takes G2 · puts G3
//	   10  pp.Runnext.Swap(gp)  nil → G3
//	11-12  runqget(…): pp.Runnext G3 → nil · takes G3
//	       ── owner ends ───────────────────────────────────────────────────────────────────────────────
//	   13                                      pp.Runnext.Load()  = nil
//
//	1 preemption; with fewer, nothing goes wrong
func (p emptyMended) Runqempty(pp *gmp.P) bool {
	h := pp.Runqhead.Load()
	t := pp.Runqtail.Load()
	next := pp.Runnext.Load()
	return h == t && next == nil
}

// emptyMet says which two steps met in Runqempty of emptyMended.
func emptyMet() check.Met {
	panic(gmp.TODO("emptyMet"))
}

// TestMends runs the checks on what you have mended.
func TestMends(t *testing.T) {
	suite.Suite.TestMends(t, solutions.Base("ch07"), solutions.Mutants("ch07"), solutions.Mends("ch07"), map[string]check.Mending{
		"mend-put":   {Part: with(func(r right) gmp.RunQueue { return putMended{r} }), Met: putMet},
		"mend-next":  {Part: with(func(r right) gmp.RunQueue { return nextMended{r} }), Met: nextMet},
		"mend-empty": {Part: with(func(r right) gmp.RunQueue { return emptyMended{r} }), Met: emptyMet},
	})
}
