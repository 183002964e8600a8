// This file is yours: what you write in it is kept. The task is in README.md
// beside it, and this command checks your code:
//
//	go run ./autograder test ch05

package ch05

import "gosched/chapters/gmp"

// matching gives a G to each M that may run one, under s.Lock.
//
// Matching is how Go 1.0 brings Gs and Ms together, under one lock. There has
// been nothing like it since 1.1. The caller of both methods holds s.Lock.
//
// The field s.Mcpu counts the Ms that run a G, have been given one, or have let go of one
// and not yet asked for the next; the field s.Mcpumax is how many may. Whenever the lock
// is free, either no G is queued or Mcpu is at least Mcpumax, except for one G for each M
// that is about to ask, by NextGAndUnlock. Only these two methods change Mcpu.
type matching struct {
	s *gmp.Sched
}

// NewMatching makes the Matching of s.
func NewMatching(s *gmp.Sched) gmp.Matching { return &matching{s: s} }

// Matchmg takes Gs off the global queue as long as Mcpu is less than Mcpumax, and
// hands each to an M that is then counted in Mcpu: to an idle one (Mget), through
// its field Nextg, and wakes it; or, if none is idle, to a new one, by Newm, whose
// fn sets its Nextg. mp is the M that executes the call. The runtime's matchmg, in
// Go 1.0.
func (p *matching) Matchmg(mp *gmp.M) {
	// Holds: When it returns, as many Ms run as may, or no G is queued; and
	//        each M that was given a G finds it.
	// Question: An M that you wake, or start, looks without waiting for the
	//           lock. What must hold by then?
	panic(gmp.TODO("Matchmg"))
}

// NextGAndUnlock returns the next G for mp, which is then on no queue, and mp is
// counted in Mcpu. That is mp.Nextg, if it is set: a new M was given its G.
// Otherwise mp is counted as running and has no G: it is no longer counted, and if
// Mcpu is then less than Mcpumax it takes the G at the head of the global queue. If
// it may not, or there is none, it becomes idle (Mput), and sleeps (MPark) until it
// is given one; throws "bad m->nextg in nextgoroutine" if it wakes without one. It
// releases s.Lock, before it sleeps. The runtime's nextgandunlock, in Go 1.0, where
// schedule takes the M out of mcpu just before it, under the same lock.
func (p *matching) NextGAndUnlock(mp *gmp.M) *gmp.G {
	// Holds: Whoever has the lock finds mp counted in Mcpu or idle, and not
	//        idle while a G is queued that it may run.
	// Question: Another M queues a G and calls Matchmg as soon as the lock is
	//           free. In what state must it find mp, so that mp gets the G?
	panic(gmp.TODO("NextGAndUnlock"))
}
