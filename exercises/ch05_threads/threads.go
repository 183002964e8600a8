// This file is yours: what you write in it is kept. The task is in README.md
// beside it, and this command checks your code:
//
//	go run ./autograder test ch05

// Package ch05 is the scheduler of chapter 5: many threads, one lock, Go 1.0.
//
// An M that has nothing to run sleeps; who makes a G runnable hands it to an idle
// M, or starts one. Up to GOMAXPROCS Ms run Gs at the same time. All that they
// share is under one lock, and one rule holds whenever nobody has it: if a G is
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

// threads makes Ms, and lets them sleep.
type threads struct {
	s *gmp.Sched
}

// NewThreads makes the Threads of s.
func NewThreads(s *gmp.Sched) gmp.Threads { return &threads{s: s} }

// Mput puts mp on the list of idle Ms. It was the last chance of some program.
func (p *threads) Mput(mp *gmp.M) {
	// 1. mp is the first on the list: who slept last is woken first.
	// 2. Count it.
	// 3. If it was the last M awake, nobody will ever wake one again. Let
	//    Checkdead see.
	panic(gmp.TODO("Mput"))
}

// Mget takes an M off the list of idle Ms, nil if there is none. The caller wakes
// it, or nobody does.
func (p *threads) Mget() *gmp.M {
	// 1. The first one, if there is one.
	// 2. It is on no list any more, and no longer idle, although it still
	//    sleeps.
	panic(gmp.TODO("Mget"))
}

// MReserveID gives out the next M's ID. From now on that M counts: Checkdead must
// not think that all sleep while one is about to begin.
func (p *threads) MReserveID() int64 {
	// 1. Take the next number, and count it.
	// 2. Is that one too many?
	panic(gmp.TODO("MReserveID"))
}

// Checkmcount throws if there are too many Ms. A program that gets so far has a
// bug, and would otherwise take the whole computer with it.
func (p *threads) Checkmcount() {
	// 1. Those that are gone do not count. Exactly Maxmcount is allowed.
	// 2. Say on Stderr which limit it was, in a line of its own, and throw.
	panic(gmp.TODO("Checkmcount"))
}

// Newm starts an M. mp, which executes it, goes on; the two do not wait for each
// other.
func (p *threads) Newm(mp *gmp.M, fn func(mp *gmp.M), pp *gmp.P, id int64) {
	// 1. Make the M (Sched.NewM) and leave with it what it shall do first: fn,
	//    and pp to take. Once its thread runs it is too late to write to it.
	// 2. Start its thread (Sched.Newosproc).
	panic(gmp.TODO("Newm"))
}

// MPark puts mp to sleep. Called without any lock: the waker may want it.
func (p *threads) MPark(mp *gmp.M) {
	// 1. Sleep on mp's note, until it is signalled; if that was before, not at
	//    all.
	// 2. Make it ready for the next time, now: a wake-up for that may come as
	//    soon as mp is on the list again, and must be kept.
	panic(gmp.TODO("MPark"))
}
