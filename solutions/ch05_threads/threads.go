// Package ch05 is the scheduler of chapter 5: many threads, one lock, Go 1.0.
//
// An M that has nothing to run sleeps; an M that makes a G runnable hands it to an
// idle M, or starts one. Up to GOMAXPROCS Ms run Gs at the same time. Everything they
// share is under one lock, and one rule holds whenever the lock is free: if a G is
// queued, as many Ms run as may.
package ch05

import (
	"fmt"

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
type threads struct {
	s *gmp.Sched
}

// NewThreads makes the Threads of s.
func NewThreads(s *gmp.Sched) gmp.Threads { return &threads{s: s} }

// Mput puts mp on the list of idle Ms. For some programs it was the last
// chance.
//
//course:exercise
func (p *threads) Mput(mp *gmp.M) {
	//course:holds The next Mget finds mp; and when Checkdead asks which Ms are left, mp is not among them.
	//course:lead If all Ms sleep, which of them could notice?
	//course:step mp is the first on the list: the last to go to sleep is the first to be woken.
	s := p.s
	mp.Schedlink.Set(s.Midle.Get())
	s.Midle.Set(mp)
	//course:step Count it.
	s.Nmidle.Set(s.Nmidle.Get() + 1)
	//course:step If it was the last M awake, none will ever wake one again. Let Checkdead look.
	s.Checkdead()
}

// Mget takes an M off the list of idle Ms, nil if there is none. The caller wakes
// it, or nothing does.
//
//course:exercise
func (p *threads) Mget() *gmp.M {
	//course:holds No M is both on the list and in another's hands, and s.Nmidle says how many are on it.
	//course:step The first one, if there is one.
	s := p.s
	mp := s.Midle.Get()
	if mp == nil {
		return nil
	}
	//course:step It is no longer on a list, and no longer idle, although it still sleeps.
	s.Midle.Set(mp.Schedlink.Get())
	mp.Schedlink.Set(nil)
	s.Nmidle.Set(s.Nmidle.Get() - 1)
	return mp
}

// MReserveID gives out the next M's ID. From now on that M counts: Checkdead must
// not think that all Ms sleep while one is about to start.
//
//course:exercise
func (p *threads) MReserveID() int64 {
	//course:holds No two Ms get the same ID; and from now on this M may still do something, so no program is taken for dead.
	//course:step Take the next number, and count it.
	id := p.s.Mnext.Get()
	p.s.Mnext.Set(p.s.Mnext.Get() + 1)
	//course:step Is that one too many?
	p.s.Checkmcount()
	return id
}

// Checkmcount throws if there are too many Ms. A program that gets this far has
// a bug, and would otherwise take the whole computer down with it.
//
//course:exercise
func (p *threads) Checkmcount() {
	//course:holds There may be as many Ms as the limit says, and not one more.
	//course:step Those that are gone do not count. Exactly Maxmcount is allowed.
	s := p.s
	if s.Mnext.Get()-s.Nmfreed.Get() <= int64(s.Maxmcount.Get()) {
		return
	}
	//course:step Say on Stderr which limit it was, on a line of its own, and throw.
	fmt.Fprintf(s.Stderr(), "runtime: program exceeds %d-thread limit\n", s.Maxmcount.Get())
	s.Throw("thread exhaustion")
}

// Newm starts an M. mp, which executes it, goes on; the two do not wait for each
// other.
//
//course:exercise
func (p *threads) Newm(mp *gmp.M, fn func(mp *gmp.M), pp *gmp.P, id int64) {
	//course:holds Whenever the new M starts, it finds everything that was left for it.
	//course:question The new M may be faster than the one that makes it. Which of your lines must it not overtake?
	//course:step Make the M (Sched.NewM) and leave with it what it is to do first: fn, and pp to take. Once its thread runs it is too late to write to it.
	newm := p.s.NewM(id)
	newm.Mstartfn.Set(fn)
	newm.Nextp.Set(pp)
	//course:step Start its thread (Sched.Newosproc).
	p.s.Newosproc(newm)
}

// MPark puts mp to sleep. Called without any lock: the waker may want it.
//
//course:exercise
func (p *threads) MPark(mp *gmp.M) {
	//course:holds Each wake-up lets mp go on once, whether it comes before mp sleeps or afterwards.
	//course:question The lock is free, so mp may be woken before it sleeps, and woken again as soon as it is back on the list. When may the note be cleared?
	//course:step Sleep on mp's note, until it is signalled; if that happened before, not at all.
	mp.Park.Sleep()
	//course:step Make it ready for the next time, now: a wake-up for that may come as soon as mp is on the list again, and must be kept.
	mp.Park.Clear()
}
