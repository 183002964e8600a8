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
//course:mend tail-before-slot
func (p putMended) Runqput(pp *gmp.P, gp *gmp.G, next bool) {
	h := pp.Runqhead.Load()
	t := pp.Runqtail.Load()
	if next || t-h == uint32(len(pp.Runq)) {
		p.RunQueue.Runqput(pp, gp, next)
		return
	}
	slot(pp, t).Store(gp)
	pp.Runqtail.Store(t + 1)
}

// putMet says which two steps met in Runqput of putMended.
//
//course:exercise
func putMet() check.Met {
	//course:lead Which step of the owner tells others that there is a G?
	return check.Met{One: "pp.Runqtail.Store(t + 1)", Other: "runqgrab(…): sees pp.Runqtail = 1"}
}

// nextMended puts next, and leaves the rest to the correct queue.
type nextMended struct{ right }

// Runqput lets a G run twice.
//
//course:mend next-put-by-store
func (p nextMended) Runqput(pp *gmp.P, gp *gmp.G, next bool) {
	if next {
		if gp = pp.Runnext.Swap(gp); gp == nil {
			return
		}
	}
	p.RunQueue.Runqput(pp, gp, false)
}

// nextMet says which two steps met in Runqput of nextMended.
//
//course:exercise
func nextMet() check.Met {
	//course:lead Which G came out twice? Find the two moments when a thread decided to take it.
	return check.Met{One: "pp.Runnext.Load()", Other: "pp.Runnext G1 → nil"}
}

// emptyMended reports whether a P has no G.
type emptyMended struct{ right }

// Runqempty says so of a P that has had one all the time.
//
//course:mend empty-in-two-looks
func (p emptyMended) Runqempty(pp *gmp.P) bool {
	for {
		h := pp.Runqhead.Load()
		t := pp.Runqtail.Load()
		next := pp.Runnext.Load()
		if t == pp.Runqtail.Load() {
			return h == t && next == nil
		}
	}
}

// emptyMet says which two steps met in Runqempty of emptyMended.
//
//course:exercise
func emptyMet() check.Met {
	//course:lead Where was G1 at each of the three looks, and which step brought it to its next place?
	return check.Met{One: "pp.Runnext.Load()", Other: "pp.Runnext G1 → G2"}
}

// TestMends runs the checks on what you have mended.
func TestMends(t *testing.T) {
	suite.Suite.TestMends(t, solutions.Base("ch07"), solutions.Mutants("ch07"), solutions.Mends("ch07"), map[string]check.Mending{
		"mend-put":   {Part: with(func(r right) gmp.RunQueue { return putMended{r} }), Met: putMet},
		"mend-next":  {Part: with(func(r right) gmp.RunQueue { return nextMended{r} }), Met: nextMet},
		"mend-empty": {Part: with(func(r right) gmp.RunQueue { return emptyMended{r} }), Met: emptyMet},
	})
}
