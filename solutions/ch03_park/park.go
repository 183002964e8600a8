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

// Gopark lets gp wait. When it returns, another G is the current one of mp, or,
// if unlockf has changed its mind, gp again.
//
//course:exercise
func (p *parking) Gopark(mp *gmp.M, gp *gmp.G, unlockf func(gp *gmp.G, lock any) bool, lock any, reason gmp.WaitReason) {
	//course:holds From the moment when a waker can find gp, gp waits, and no M has it.
	//course:question unlockf has returned true. Where may gp be by now, and what may Gopark still do with it?
	//course:lead Another M does nothing but wait for the lock that unlockf releases. What does it do the moment it gets the lock, and what must be the case by then?
	//course:step Only a running G can park.
	s := p.s
	if gp.Atomicstatus.Load()&^gmp.Gscan != gmp.Grunning {
		s.Throw("gopark: bad g status")
	}
	//course:step It says what for. Then it waits, and mp and gp let go of each other.
	gp.Waitreason.Set(reason)
	s.Casgstatus(gp, gmp.Grunning, gmp.Gwaiting)
	s.Dropg(mp)
	//course:step Now, and not before, the lock may go. From here on any M may wake gp, which may even have ended by the time unlockf returns: do not touch it any more, unless unlockf says no.
	if unlockf != nil && !unlockf(gp, lock) {
		//course:step If it does, no other M knows gp. It goes on where it is, with what is left of its time.
		s.Casgstatus(gp, gmp.Gwaiting, gmp.Grunnable)
		s.Execute(mp, gp, true)
		return
	}
	//course:step Let another G run.
	s.Schedule(mp)
}

// Goready makes gp, which is parked, runnable. Whoever calls it goes on.
//
//course:exercise
func (p *parking) Goready(mp *gmp.M, gp *gmp.G) {
	//course:holds gp is queued once, and the caller's G goes on.
	//course:step gp has something to do now: it should be the next one to run, if the scheduler has such a place.
	p.s.Ready(mp, gp, true)
}
