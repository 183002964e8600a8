// This file is yours: what you write in it is kept. The task is in README.md
// beside it, and this command checks your code:
//
//	go run ./autograder test ch05

// Package ch05 is the scheduler of chapter 5: many threads, one lock, Go 1.0.
//
// An M that has nothing to run sleeps; an M that makes a G runnable hands it to an
// idle M, or starts one. Up to GOMAXPROCS Ms run Gs at the same time. Everything they
// share is under one lock, and one rule holds whenever the lock is free: if a G is
// queued, as many Ms run as may.
package ch05

import (
	"gosched/chapters/gmp"
)

// Parts are the parts of this chapter.
var Parts = gmp.Version{
	Loop:       NewLoop,
	Submission: NewSubmission,
	Deadlock:   NewDeadlock,
	Threads:    NewThreads,
	Matching:   NewMatching,
}

// threads has the Ms that are made, and those that sleep.
//
// Threads makes Ms, and lets them sleep. Idle Ms, those that sleep for want of work,
// are on the list s.Midle, linked by M.Schedlink and counted in s.Nmidle. M.Park is the
// note on which an M sleeps; MPark is the method that sleeps on it.
type threads struct {
	s *gmp.Sched
}

// NewThreads makes the Threads of s.
func NewThreads(s *gmp.Sched) gmp.Threads { return &threads{s: s} }

// Mput puts mp first on the list of idle Ms, and calls Checkdead, since mp may have
// been the last M awake. The caller holds s.Lock; it then releases it and calls MPark.
// The runtime's mput.
func (p *threads) Mput(mp *gmp.M) {
	// Holds: The next Mget finds mp; and when Checkdead asks which Ms are
	//        left, mp is not among them.
	panic(gmp.TODO("Mput"))
}

// Mget takes the first M off that list, nil if it is empty; its Schedlink is
// then nil. The caller gives it something to do and signals its Park
// (Note.Wakeup). s.Lock is held. The runtime's mget.
func (p *threads) Mget() *gmp.M {
	// Holds: No M is both on the list and in another's hands, and s.Nmidle
	//        says how many are on it.
	panic(gmp.TODO("Mget"))
}

// MReserveID gives out the ID of the next M, s.Mnext, and counts that M, which
// does not exist yet; then it calls Checkmcount. s.Lock is held. The runtime's
// mReserveID.
func (p *threads) MReserveID() int64 {
	// Holds: No two Ms get the same ID; and from now on this M may still do
	//        something, so no program is taken for dead.
	panic(gmp.TODO("MReserveID"))
}

// Checkmcount throws "thread exhaustion" if there are more than s.Maxmcount Ms,
// not counting those that are gone (s.Mnext-s.Nmfreed). First it writes
// "runtime: program exceeds 10000-thread limit", or whatever the limit is, on a
// line to Sched.Stderr. s.Lock is held. The runtime's checkmcount.
func (p *threads) Checkmcount() {
	// Holds: There may be as many Ms as the limit says, and not one more.
	panic(gmp.TODO("Checkmcount"))
}

// Newm makes the M with the reserved id (Sched.NewM) and starts its thread
// (Sched.Newosproc). The new M runs fn, its Mstartfn, if that is not nil, with
// itself as the argument, takes pp, its Nextp, if that is not nil, and schedules. It
// may do so before Newosproc has returned. Newm does not wait for it. mp is the M
// that executes the call. It may hold s.Lock, as it did in Go 1.0; since 1.1 the
// runtime calls newm without it. The runtime's newm.
func (p *threads) Newm(mp *gmp.M, fn func(mp *gmp.M), pp *gmp.P, id int64) {
	// Holds: Whenever the new M starts, it finds everything that was left for
	//        it.
	// Question: The new M may be faster than the one that makes it. Which of
	//           your lines must it not overtake?
	panic(gmp.TODO("Newm"))
}

// MPark puts mp to sleep until the note mp.Park is signalled, or returns at once
// if it already was, and then clears the note for the next time. Called on mp's
// own thread, without locks. The runtime's mPark.
func (p *threads) MPark(mp *gmp.M) {
	// Holds: Each wake-up lets mp go on once, whether it comes before mp
	//        sleeps or afterwards.
	// Question: The lock is free, so mp may be woken before it sleeps, and
	//           woken again as soon as it is back on the list. When may the
	//           note be cleared?
	panic(gmp.TODO("MPark"))
}
