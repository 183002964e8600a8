// This file is yours: what you write in it is kept. The task is in README.md
// beside it, and this command checks your code:
//
//	go run ./autograder test ch09

package ch09_test

import (
	"testing"

	suite "gosched/chapters/ch09_steal"
	"gosched/chapters/check"
	"gosched/chapters/gmp"
	"gosched/chapters/machine"
	"gosched/solutions"
)

// StealWork is correct as long as Runqsteal is. Here are three thieves that do without it,
// or write it in their own way; each is correct except for one mistake, and comes with the
// interleaving in which it goes wrong. In each method:
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
		return mended(right{solutions.Base("ch09").RunQueue(s), s})
	}}
}

// slot returns the slot of the G with number i on pp's ring.
func slot(pp *gmp.P, i uint32) *machine.Pointer[gmp.G] {
	return &pp.Runq[i%uint32(len(pp.Runq))]
}

// nextMended takes a Runnext itself, and leaves the ring to the correct queue.
type nextMended struct{ right }

// Runqsteal loses a G, and lets another run twice.
//
//	violated check:
//	  G1 is doubled: it was put once and taken twice, by owner after step 22 and by thief after step 24
//	  G2 is lost: owner put it after step 22, and it was never taken
//
//	       owner                               thief
//	       ─────────────────────────────────────────────────────────────────────────────────────────────
//	       check: puts G1
//	    1                                      s.Gcwaiting.Load()  = 0
//	    2                                      s.Gcwaiting.Load()  = 0
//	    3                                      pp.Runqtail.Load()  = 0
//	    4                                      pp.Runqhead.Load()  = 0
//	    5                                      pp.Runqtail.Load()  = 0
//	    6                                      s.Gcwaiting.Load()  = 0
//	    7                                      pp.Runqtail.Load()  = 0
//	    8                                      pp.Runqhead.Load()  = 0
//	    9                                      pp.Runqtail.Load()  = 0
//	   10                                      s.Gcwaiting.Load()  = 0
//	       … and so on, 2 times
//	   13                                      pp.Runqtail.Load()  = 0
//	   14                                      pp.Runqhead.Load()  = 0
//	   15                                      pp.Runqtail.Load()  = 0
//	   16                                      s.Gcwaiting.Load()  = 0
//	   17                                      pp.Runqtail.Load()  = 0
//	   18                                      pp.Runqhead.Load()  = 0
//	   19                                      pp.Runqtail.Load()  = 0
//	   20                                      p2.Runnext.Load()  = G1
//	       ── thief is preempted ───────────────────────────────────────────────────────────────────────
//	21-22  get(…): pp.Runnext G1 → nil · takes G1 · puts G2
//	   23  pp.Runnext.Swap(gp)  nil → G2
//	       ── owner ends ───────────────────────────────────────────────────────────────────────────────
//	   24                                      p2.Runnext.Store(nil)  G2 → nil
//	25-27                                      takes G1 · get(…):
//	                                             sees pp.Runnext = nil, sees pp.Runqhead = 0,
//	                                             sees pp.Runqtail = 0
//
//	1 preemption; with fewer, nothing goes wrong
func (p nextMended) Runqsteal(pp, p2 *gmp.P, stealRunNext bool) *gmp.G {
	if gp := p.RunQueue.Runqsteal(pp, p2, false); gp != nil || !stealRunNext {
		return gp
	}
	gp := p2.Runnext.Load()
	if gp != nil {
		p2.Runnext.Store(nil)
	}
	return gp
}

// nextMet says which two steps met in Runqsteal of nextMended.
func nextMet() check.Met {
	panic(gmp.TODO("nextMet"))
}

// ringMended takes half of the ring itself, and leaves a Runnext to the correct
// queue.
type ringMended struct{ right }

// Runqsteal lets a G run twice.
//
//	violated check:
//	  G2 is doubled: it was put once and taken twice, by thief B after step 31 and by thief A after step 35
//
//	       owner                 thief A               thief B
//	       ─────────────────────────────────────────────────────────────────────────────────────────────
//	       check: puts G1
//	       check: puts G2
//	  1-4  puts G3 · put(…): sees pp.Runqhead = 0, slot(pp, t) nil → G3,
//	         pp.Runqtail 2 → 3
//	  5-9  get(…): pp.Runqhead 0 → 1 · takes G1
//	       ── owner ends ───────────────────────────────────────────────────────────────────────────────
//	   10                        s.Gcwaiting.Load()  = 0
//	   11                        p2.Runqhead.Load()  = 0
//	   12                        p2.Runqtail.Load()  = 0
//	   13                        pp.Runqtail.Load()  = 0
//	   14                        pp.Runqhead.Load()  = 0
//	   15                        pp.Runqtail.Load()  = 0
//	   16                        s.Gcwaiting.Load()  = 0
//	   17                        p2.Runqhead.Load()  = 1
//	   18                        p2.Runqtail.Load()  = 3
//	   19                        slot(p2, h+i).Load()  = G2
//	       ── thief A is preempted ─────────────────────────────────────────────────────────────────────
//	20-31                                              steal(…): sees p2.Runqtail = 3,
//	                                                     p2.Runqhead 1 → 2 · takes G2
//	32-34                                              get(…):
//	                                                     sees pp.Runnext = nil, sees pp.Runqhead = 0,
//	                                                     sees pp.Runqtail = 0
//	       ── thief B ends ─────────────────────────────────────────────────────────────────────────────
//	   35                        p2.Runqhead.Store(h + n - n/2)  2 → 2
//	36-38                        takes G2 · get(…): sees pp.Runnext = nil,
//	                               sees pp.Runqhead = 0, sees pp.Runqtail = 0
//	       check: takes G3
//
//	1 preemption; with fewer, nothing goes wrong
func (p ringMended) Runqsteal(pp, p2 *gmp.P, stealRunNext bool) *gmp.G {
	for {
		h := p2.Runqhead.Load()
		n := p2.Runqtail.Load() - h
		if n == 0 {
			return p.RunQueue.Runqsteal(pp, p2, stealRunNext)
		}
		var gs []*gmp.G
		for i := range n - n/2 {
			gs = append(gs, slot(p2, h+i).Load())
		}
		p2.Runqhead.Store(h + n - n/2)
		for _, gp := range gs[:len(gs)-1] {
			p.s.Runqput(pp, gp, false)
		}
		return gs[len(gs)-1]
	}
}

// ringMet says which two steps met in Runqsteal of ringMended.
func ringMet() check.Met {
	panic(gmp.TODO("ringMet"))
}

// ownMended lets Runqgrab take the Gs, straight into its own ring. That is empty, so there
// is room.
type ownMended struct{ right }

// Runqsteal lets a G run twice.
//
//	violated check:
//	  G2 is doubled: it was put once and taken 3 times, by thief B after step 33 and by thief A after step 37 and by the check after step 42
//
//	       owner                 thief A               thief B
//	       ─────────────────────────────────────────────────────────────────────────────────────────────
//	       check: puts G1
//	       check: puts G2
//	  1-4  puts G3 · put(…): sees pp.Runqhead = 0, slot(pp, t) nil → G3,
//	         pp.Runqtail 2 → 3
//	  5-9  get(…): pp.Runqhead 0 → 1 · takes G1
//	       ── owner ends ───────────────────────────────────────────────────────────────────────────────
//	   10                        s.Gcwaiting.Load()  = 0
//	   11                        pp.Runqtail.Load()  = 0
//	   12                        pp.Runqhead.Load()  = 0
//	   13                        pp.Runqtail.Load()  = 0
//	   14                        s.Gcwaiting.Load()  = 0
//	   15                        pp.Runqtail.Load()  = 0
//	   16                        pp.Runqhead.Load()  = 1
//	   17                        pp.Runqtail.Load()  = 3
//	   18                        slot(pp, h+i).Load()  = G2
//	   19                        into(i).Store(slot(pp, h+i).Load())  nil → G2
//	   20                        pp.Runqhead.CompareAndSwap(h, h+n)  1 → 2
//	   21                        pp.Runqtail.Store(t + n)  0 → 1
//	   22                        slot(pp, t+n-1).Load()  = G2
//	       ── thief A is preempted ─────────────────────────────────────────────────────────────────────
//	23-33                                              steal(…): sees pp.Runqtail = 1,
//	                                                     sees slot(pp, h+i) = G2, into(i) nil → G2,
//	                                                     pp.Runqhead 0 → 1, pp.Runqtail 0 → 1,
//	                                                     pp.Runqtail 1 → 0 · takes G2
//	34-36                                              get(…):
//	                                                     sees pp.Runnext = nil, sees pp.Runqhead = 0,
//	                                                     sees pp.Runqtail = 0
//	       ── thief B ends ─────────────────────────────────────────────────────────────────────────────
//	   37                        pp.Runqtail.Store(t + n - 1)  1 → 0
//	38-42                        takes G2 · get(…): pp.Runqhead 1 → 2
//	       check: takes G3
//	       check: takes G2
//
//	1 preemption; with fewer, nothing goes wrong
func (p ownMended) Runqsteal(pp, p2 *gmp.P, stealRunNext bool) *gmp.G {
	t := pp.Runqtail.Load()
	n := p.s.Runqgrab(p2, pp.Runq, t, stealRunNext)
	if n == 0 {
		return nil
	}
	pp.Runqtail.Store(t + n)
	gp := slot(pp, t+n-1).Load()
	pp.Runqtail.Store(t + n - 1)
	return gp
}

// ownMet says which two steps met in Runqsteal of ownMended.
func ownMet() check.Met {
	panic(gmp.TODO("ownMet"))
}

// TestMends runs the checks on what you have mended.
func TestMends(t *testing.T) {
	suite.Suite.TestMends(t, solutions.Base("ch09"), solutions.Mutants("ch09"), solutions.Mends("ch09"), map[string]check.Mending{
		"mend-next": {Part: with(func(r right) gmp.RunQueue { return nextMended{r} }), Met: nextMet},
		"mend-ring": {Part: with(func(r right) gmp.RunQueue { return ringMended{r} }), Met: ringMet},
		"mend-own":  {Part: with(func(r right) gmp.RunQueue { return ownMended{r} }), Met: ownMet},
	})
}
