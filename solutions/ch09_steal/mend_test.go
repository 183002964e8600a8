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
//course:mend next-by-hand
func (p nextMended) Runqsteal(pp, p2 *gmp.P, stealRunNext bool) *gmp.G {
	if gp := p.RunQueue.Runqsteal(pp, p2, false); gp != nil || !stealRunNext {
		return gp
	}
	gp := p2.Runnext.Swap(nil)
	return gp
}

// nextMet says which two steps met in Runqsteal of nextMended.
//
//course:exercise
func nextMet() check.Met {
	//course:lead The thief takes what it has seen. What is there when it takes it?
	return check.Met{One: "p2.Runnext.Store(nil)", Other: "pp.Runnext G1 → nil"}
}

// ringMended takes half of the ring itself, and leaves a Runnext to the correct
// queue.
type ringMended struct{ right }

// Runqsteal lets a G run twice.
//
//course:mend ring-by-hand
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
		if !p2.Runqhead.CompareAndSwap(h, h+n-n/2) {
			continue
		}
		for _, gp := range gs[:len(gs)-1] {
			p.s.Runqput(pp, gp, false)
		}
		return gs[len(gs)-1]
	}
}

// ringMet says which two steps met in Runqsteal of ringMended.
//
//course:exercise
func ringMet() check.Met {
	//course:lead By which step does each of the two threads take G2? What does the later one believe at that moment?
	return check.Met{One: "p2.Runqhead.Store(", Other: "p2.Runqhead 1 → 2"}
}

// ownMended lets Runqgrab take the Gs, straight into its own ring. That is empty, so there
// is room.
type ownMended struct{ right }

// Runqsteal lets a G run twice.
//
//course:mend steal-shows-returned
func (p ownMended) Runqsteal(pp, p2 *gmp.P, stealRunNext bool) *gmp.G {
	t := pp.Runqtail.Load()
	n := p.s.Runqgrab(p2, pp.Runq, t, stealRunNext)
	if n == 0 {
		return nil
	}
	gp := slot(pp, t+n-1).Load()
	pp.Runqtail.Store(t + n - 1)
	return gp
}

// ownMet says which two steps met in Runqsteal of ownMended.
//
//course:exercise
func ownMet() check.Met {
	//course:lead From which ring does thief B steal G2, and which thread has offered it there?
	return check.Met{One: "pp.Runqtail.Store(t + n)", Other: "sees slot(pp, h+i) = G2"}
}

// TestMends runs the checks on what you have mended.
func TestMends(t *testing.T) {
	suite.Suite.TestMends(t, solutions.Base("ch09"), solutions.Mutants("ch09"), solutions.Mends("ch09"), map[string]check.Mending{
		"mend-next": {Part: with(func(r right) gmp.RunQueue { return nextMended{r} }), Met: nextMet},
		"mend-ring": {Part: with(func(r right) gmp.RunQueue { return ringMended{r} }), Met: ringMet},
		"mend-own":  {Part: with(func(r right) gmp.RunQueue { return ownMended{r} }), Met: ownMet},
	})
}
