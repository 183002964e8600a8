// This file is yours: what you write in it is kept. The task is in README.md
// beside it, and this command checks your code:
//
//	go run ./autograder test ch10

// Package ch10 is spinning and parking: chapter 10, Go 1.1 to 1.20.
//
// How many Ms are awake is decided without knowing how much work there is: that would take
// a lock. A few Ms look for work although there may be none: they spin. An M that queues a
// G wakes no other as long as there is one of them; the last one that finds something wakes
// the next. The order on which all of it hangs is explained at gmp.Wakeups.
package ch10

import "gosched/chapters/gmp"

// Parts are the parts of this chapter.
var Parts = gmp.Version{
	Finder:  NewFinder,
	Wakeups: NewWakeups,
}

// wakeups keeps nothing of its own: everything is counted in gmp.Sched.
//
// Wakeups brings Ms to work and to rest.
//
// An M that looks for work in the queues of others is spinning: it has Spinning set
// and is counted in s.Nmspinning. An M that makes a G runnable queues it first, and
// then looks at Nmspinning: if no M spins, it wakes one. An M that stops spinning
// takes itself out of Nmspinning first, and then looks at all queues, or wakes another
// M that does. So one of the two sees the other.
type wakeups struct {
	s *gmp.Sched
}

// NewWakeups makes the Wakeups of s.
func NewWakeups(s *gmp.Sched) gmp.Wakeups { return &wakeups{s: s} }

// BecomeSpinning counts mp as spinning, and clears Needspinning: the M that was
// wanted is there. The runtime's m.becomeSpinning.
func (p *wakeups) BecomeSpinning(mp *gmp.M) {
	// Holds: An M that has set Needspinning before is served: mp looks at all
	//        queues after this.
	panic(gmp.TODO("BecomeSpinning"))
}

// PidlegetSpinning is Pidleget for an M that knows of work. If there is no idle P it
// sets Needspinning: an M that has not seen the work may be about to give its P
// back. s.Lock is held. The runtime's pidlegetSpinning.
func (p *wakeups) PidlegetSpinning(mp *gmp.M, now int64) (*gmp.P, int64) {
	// Holds: Either there is a P, or each M that gives one back later, and has
	//        not looked for work, finds the sign.
	panic(gmp.TODO("PidlegetSpinning"))
}

// Stopm puts mp on the list of idle Ms, lets it sleep, and when it is woken lets
// it take the P in Nextp. Throws "stopm holding p" or "stopm spinning" if that is
// the case. The runtime's stopm.
func (p *wakeups) Stopm(mp *gmp.M) {
	// Holds: From the moment when mp is on the list it can be woken, and no
	//        wake-up is lost; when Stopm returns mp holds the P that it was
	//        given.
	// Question: Another M may wake mp after it is on the list and before it
	//           sleeps. What must not happen to its note and its Nextp from
	//           then on?
	panic(gmp.TODO("Stopm"))
}

// Startm gives pp, which belongs to the caller, to an idle M (Mget), or to a new one
// (Newm, whose fn is the first thing that the new M does), and lets it run. An idle M
// finds its P in Nextp, and is woken by its note. With pp nil it takes an idle P, and
// does nothing if there is none. spinning: the caller has counted that M in Nmspinning,
// and its Spinning is set before it looks for work. lockheld: the caller holds s.Lock,
// and holds it again afterwards; a new M is started without it, but its ID is reserved
// under it (MReserveID): until then Checkdead does not know of that M. mp is the M that
// executes the call.
//
// Throws "startm: P required for spinning=true", "startm: m is spinning", "startm: m
// has p" if the idle M has a Nextp, and "startm: p has runnable gs" if spinning is
// set, pp has work and an idle M would get it; with a new M it may or may not throw
// that as well. The runtime's startm.
func (p *wakeups) Startm(mp *gmp.M, pp *gmp.P, spinning, lockheld bool) {
	// Holds: When the M wakes, what it looks at first is already there; and at
	//        no moment is a P on its way to an M of which Checkdead knows
	//        nothing.
	// Question: s.Lock is free for a moment, and another M goes to sleep just
	//           then. Is it the last one?
	panic(gmp.TODO("Startm"))
}

// Wakep lets one more M spin, if none does and a P is idle. It counts that M
// first, from 0 to 1, so that of many callers one goes on; then it takes a P
// (PidlegetSpinning), and Startm does the rest. If there is no P, that M does not
// come: it is not counted when Wakep returns, and no G whose maker relied on it is
// forgotten. Called after a G was queued; s.Lock is not held. mp need not hold a P. The
// runtime's wakep, whose caller must.
func (p *wakeups) Wakep(mp *gmp.M) {
	// Holds: Of all Ms that call it at the same time one goes on. If its M
	//        does not come, for want of a P, then no G whose maker has relied
	//        on that M is forgotten.
	// Question: You have counted an M, and there is no P for it. Others may
	//           have relied on it meanwhile, and looked no further. Until when
	//           may it stay in the count, and which M looks in its stead?
	panic(gmp.TODO("Wakep"))
}

// Resetspinning ends mp's spinning, since it has found a G, and calls Wakep: if it
// was the last one that spun, another is to look for more. Throws "resetspinning:
// not a spinning m", and "resetspinning: negative nmspinning" if mp spins but was
// not counted. The runtime's resetspinning, which says "findRunnable: negative
// nmspinning" there.
func (p *wakeups) Resetspinning(mp *gmp.M) {
	// Holds: The Gs that were queued while mp spun, and for which no M was
	//        woken because of it, have an M that looks for them, as long as a
	//        P is idle.
	// Question: Which M does Wakep see spinning when you call it?
	panic(gmp.TODO("Resetspinning"))
}

// CheckRunqsNoP looks at the queues of allp for mp, which has given back its P. If
// one of them has a G, it returns an idle P to steal it with, nil if there is
// none. s.Lock is not held. The runtime's checkRunqsNoP.
func (p *wakeups) CheckRunqsNoP(mp *gmp.M, allp []*gmp.P) *gmp.P {
	// Holds: If it returns nil, no queue had a G when it was looked at, or no
	//        P was idle and the sign is set.
	// Question: Why is the P that has the G not the one to return?
	panic(gmp.TODO("CheckRunqsNoP"))
}
