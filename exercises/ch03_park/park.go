// This file is yours: what you write in it is kept. The task is in README.md
// beside it, and this command checks your code:
//
//	go run ./autograder test ch03

// Package ch03 lets goroutines wait: chapter 3, Go 0.x.
//
// A goroutine that waits is a G in state Gwaiting, a sudog on somebody's queue,
// and a note of what is left to do. No thread waits with it. Whoever brings what
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

// Gopark lets gp wait. When it returns, another G is the current one of mp, or,
// if unlockf has changed its mind, gp again.
func (p *parking) Gopark(mp *gmp.M, gp *gmp.G, unlockf func(gp *gmp.G, lock any) bool, lock any, reason gmp.WaitReason) {
	// 1. Only a running G can park.
	// 2. It says what for. Then it waits, and mp and gp let go of each other.
	// 3. Now, and not before, the lock may go. From here on anybody may wake
	//    gp, who may even have ended when unlockf returns: do not touch it any
	//    more, unless unlockf says no.
	// 4. If it does, nobody else knows gp. It goes on where it is, with what
	//    is left of its time.
	// 5. Let another one run.
	panic(gmp.TODO("Gopark"))
}

// Goready makes gp, which is parked, runnable. Whoever calls it goes on.
func (p *parking) Goready(mp *gmp.M, gp *gmp.G) {
	// 1. gp has something to do now: it should be the next one to run, where a
	//    scheduler knows such a thing.
	panic(gmp.TODO("Goready"))
}
