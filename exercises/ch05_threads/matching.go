// This file is yours: what you write in it is kept. The task is in README.md
// beside it, and this command checks your code:
//
//	go run ./autograder test ch05

package ch05

import "gosched/chapters/gmp"

// matching gives each M that may run a G, under s.Lock.
//
// Matching is how Go 1.0 brings Gs and Ms together, under one lock. There is
// nothing like it since 1.1. s.Lock is held by the caller of both methods.
//
// The field s.Mcpu counts the Ms that run a G, have been given one, or have let go of
// one and not asked for the next yet; the field s.Mcpumax is how many may. Whenever the
// lock is free, either no G is queued or Mcpu is at least Mcpumax; but for one G for each
// M that is about to ask, by NextGAndUnlock. Only these two methods change Mcpu.
type matching struct {
	s *gmp.Sched
}

// NewMatching makes the Matching of s.
func NewMatching(s *gmp.Sched) gmp.Matching { return &matching{s: s} }

// Matchmg takes Gs off the global queue as long as Mcpu is less than Mcpumax,
// and hands each to an M that is then counted in Mcpu: to an idle one (Mget), by
// its field Nextg, and wakes it; or if none is idle to a new one, by Newm, whose fn
// sets its Nextg. mp is the M that executes the call. The runtime's matchmg,
// in Go 1.0.
func (p *matching) Matchmg(mp *gmp.M) {
	// Holds: When it returns as many Ms run as may, or no G is queued; and
	//        each M that was given a G finds it.
	// Question: An M that you wake, or start, does not wait for the lock
	//           before it looks. What must be so by then?
	panic(gmp.TODO("Matchmg"))
}

// NextGAndUnlock returns the next G for mp, which is on no queue then, and mp
// is counted in Mcpu. That is mp.Nextg, if it is set: a new M was given its G.
// Otherwise mp is counted as running and has no G: it is counted no more, and
// if Mcpu is then less than Mcpumax it takes the G at the head of the global
// queue. If it may not, or there is none, it becomes idle (Mput), and sleeps
// (MPark) until it is given one; throws "bad m->nextg in nextgoroutine" if it
// wakes without. It gives back s.Lock, before it sleeps. The runtime's
// nextgandunlock, in Go 1.0, where schedule has taken the M out of mcpu just before
// it, under the same lock.
func (p *matching) NextGAndUnlock(mp *gmp.M) *gmp.G {
	// Holds: Whoever has the lock finds mp counted in Mcpu or idle, and not
	//        idle while a G is queued that it may run.
	// Question: Another M queues a G and calls Matchmg as soon as the lock is
	//           free. What must it find of mp, so that mp gets the G?
	panic(gmp.TODO("NextGAndUnlock"))
}
