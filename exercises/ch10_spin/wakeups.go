// This file is yours: what you write in it is kept. The task is in README.md
// beside it, and this command checks your code:
//
//	go run ./autograder test ch10

// Package ch10 is spinning and parking: chapter 10, Go 1.1 to 1.20.
//
// How many Ms are awake is decided without knowing how much work there is: that would
// take a lock. A few Ms look for work although there may be none, they spin. Whoever queues
// a G wakes nobody as long as there is one of them; the last one that finds something
// wakes the next. All of it hangs on one order: whoever adds work looks at the spinners
// afterwards, and whoever stops spinning looks for work afterwards.
package ch10

import "gosched/chapters/gmp"

// Parts are the parts of this chapter.
var Parts = gmp.Version{
	Finder:  NewFinder,
	Wakeups: NewWakeups,
}

// wakeups brings Ms to work and to rest.
type wakeups struct {
	s *gmp.Sched
}

// NewWakeups makes the Wakeups of s.
func NewWakeups(s *gmp.Sched) gmp.Wakeups { return &wakeups{s: s} }

// Wakep lets one more M spin, unless one does. The caller has queued a G before. Both
// the queue and Nmspinning are atomic, so it cannot be that it finds somebody spinning
// here who has looked at the queue before, and will not do so again.
func (p *wakeups) Wakep(mp *gmp.M) {
	// 1. If an M spins, it will find the G. If not, count one, from 0 to 1: of
	//    all who come at the same time one goes on.
	// 2. It needs a P. If none is idle, uncount it, before the lock is given
	//    back: others have relied on that M, which will not come, and looked
	//    no further. But whoever puts a P on the list takes the lock for that,
	//    and so comes before all this, when there would have been a P, or
	//    after it, and then finds Needspinning.
	// 3. Let an M take it.
	panic(gmp.TODO("Wakep"))
}

// Startm lets an M run pp.
func (p *wakeups) Startm(mp *gmp.M, pp *gmp.P, spinning, lockheld bool) {
	// 1. Without a P, take an idle one; if there is none, that is all. A
	//    spinning M was counted already, so it must come, and for that there
	//    must be a P.
	// 2. An M that sleeps, if there is one. It is off the list now, so nobody
	//    else wakes it.
	// 3. Else a new one. Its ID is reserved under the lock: from then on it
	//    counts, and Checkdead does not think that nobody is left.
	// 4. It must be one that can take pp; and if it is to spin, pp must be
	//    without work.
	// 5. Tell it, and only then wake it.
	panic(gmp.TODO("Startm"))
}

// Stopm lets mp sleep.
func (p *wakeups) Stopm(mp *gmp.M) {
	// 1. An M that sleeps has no P, and is not counted as spinning.
	// 2. On the list of idle Ms. Somebody may wake it before it sleeps; the
	//    note keeps that.
	// 3. Who woke it has left a P for it.
	panic(gmp.TODO("Stopm"))
}

// BecomeSpinning counts mp as one that looks for work.
func (p *wakeups) BecomeSpinning(mp *gmp.M) {
	// 1. Say so, and count. Whoever wanted somebody to look for his work is
	//    served: mp begins after this.
	panic(gmp.TODO("BecomeSpinning"))
}

// Resetspinning ends that, since mp has found a G.
func (p *wakeups) Resetspinning(mp *gmp.M) {
	// 1. Uncount it.
	// 2. While mp spun, others have queued Gs and woken nobody, because of it.
	//    So if nobody else spins, somebody must come for those; Wakep sees to
	//    that.
	panic(gmp.TODO("Resetspinning"))
}

// PidlegetSpinning takes an idle P for work that is known. s.Lock is held.
func (p *wakeups) PidlegetSpinning(mp *gmp.M, now int64) (*gmp.P, int64) {
	// 1. If there is none, an M may just be about to give its P back, without
	//    having seen that work. It asks for Needspinning, under the same lock.
	panic(gmp.TODO("PidlegetSpinning"))
}

// CheckRunqsNoP looks whether any P has work, for mp, which has no P.
func (p *wakeups) CheckRunqsNoP(mp *gmp.M, allp []*gmp.P) *gmp.P {
	// 1. The first one that has work is enough: mp needs a P to steal with,
	//    and that any idle one can be. If there is none, all are busy, and
	//    will find that work themselves.
	panic(gmp.TODO("CheckRunqsNoP"))
}
