// This file is yours: what you write in it is kept. The task is in README.md
// beside it, and this command checks your code:
//
//	go run ./autograder test ch03

// Package ch03 lets goroutines wait: chapter 3, Go 0.x.
//
// A goroutine that waits is a G in state Gwaiting, a sudog on some queue, and a
// note of what is left to do. No thread waits with it. Whichever G brings what
// it waits for does its work for it, and makes it ready.
package ch03

import "gosched/chapters/gmp"

// Parts are the parts of this chapter.
var Parts = gmp.Version{
	Parking:  NewParking,
	Sudogs:   NewSudogs,
	Waitqs:   NewWaitqs,
	Channels: NewChannels,
}

// parking takes a G off its M, and brings it back.
type parking struct {
	s *gmp.Sched
}

// NewParking makes the Parking of s.
func NewParking(s *gmp.Sched) gmp.Parking { return &parking{s: s} }

// Gopark lets gp, which is Grunning on mp, wait for reason: gp becomes Gwaiting with that
// Waitreason and goes on no run queue, mp and gp let go of each other, and mp schedules. As
// long as gp is Grunning it is linked to mp. An M that sees that gp is Gwaiting may read
// Waitreason. Throws "gopark: bad g status" in any other state, before it changes anything;
// Grunning with the scan bit set is not another state. Not called with s.Lock held.
//
// Before it schedules it calls unlockf(gp, lock), if that is not nil. unlockf
// releases the lock that kept wakers away, so at that moment gp's state must already
// have changed and mp must have let go of it: it may be made ready, and run, before
// unlockf returns. unlockf must not touch gp's stack, which may be moved as soon as
// gp waits: an address in it that was taken before Gopark may be stale by then. If
// unlockf returns false, gp does not wait: it becomes Grunnable and goes on at once,
// by Execute with inheritTime set. If it returns true, gp belongs to its waker.
//
// What gp must do when it wakes is in gp.Cont, set before the call: Gopark
// returns when another G is to run. The runtime's gopark and park_m.
func (p *parking) Gopark(mp *gmp.M, gp *gmp.G, unlockf func(gp *gmp.G, lock any) bool, lock any, reason gmp.WaitReason) {
	// Holds: From the moment when a waker can find gp, gp waits, and no M has
	//        it.
	// Question: unlockf has returned true. Where may gp be by now, and what
	//           may Gopark still do with it?
	panic(gmp.TODO("Gopark"))
}

// Goready makes gp, which waits, runnable: it is Ready with next set. The
// caller's G goes on. The runtime's goready.
func (p *parking) Goready(mp *gmp.M, gp *gmp.G) {
	// Holds: gp is queued once, and the caller's G goes on.
	panic(gmp.TODO("Goready"))
}
