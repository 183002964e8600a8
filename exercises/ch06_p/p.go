// This file is yours: what you write in it is kept. The task is in README.md
// beside it, and this command checks your code:
//
//	go run ./autograder test ch06

// Package ch06 is the P: chapter 6, Go 1.1.
//
// A P is the right to run Go code, and what belongs to that: a run queue, dead Gs
// and sudogs for reuse. There are GOMAXPROCS of them. Only the M that holds a P
// touches what is in it, so that needs no lock; and an M that sleeps holds none, so
// that there is only as much of it as can be used.
package ch06

import "gosched/chapters/gmp"

// Parts are the parts of this chapter.
var Parts = gmp.Version{
	Boot:      NewBoot,
	Procs:     NewProcs,
	Freelists: NewFreelists,
	Sudogs:    NewSudogs,
}

// procs hands the Ps to Ms.
type procs struct {
	s *gmp.Sched
}

// NewProcs makes the Procs of s.
func NewProcs(s *gmp.Sched) gmp.Procs { return &procs{s: s} }

// Acquirep gives pp to mp.
func (p *procs) Acquirep(mp *gmp.M, pp *gmp.P) {
	// 1. Link the two. What the runtime does here besides is about its memory
	//    allocator, and its trace.
	panic(gmp.TODO("Acquirep"))
}

// Wirep links mp and pp. Nobody else can be about to do the same with pp: whoever
// takes a P off the list of idle ones, under the lock, is the only one to know it.
func (p *procs) Wirep(mp *gmp.M, pp *gmp.P) {
	// 1. An M has one P at most.
	// 2. And a P one M: throw if pp has one, or is not idle.
	// 3. Link them both ways, and let pp be running.
	panic(gmp.TODO("Wirep"))
}

// Releasep takes mp's P away. It is on no list then, and the caller's to give away.
func (p *procs) Releasep(mp *gmp.M) *gmp.P {
	// 1. Throw if mp has none, or if it is not really mp's.
	// 2. Undo what Wirep has done.
	panic(gmp.TODO("Releasep"))
}

// Pidleput puts pp on the list of idle Ps. s.Lock is held.
func (p *procs) Pidleput(pp *gmp.P, now int64) int64 {
	// 1. A P with work is not idle: what is in its queue would be forgotten.
	// 2. First on the list, and counted. The count can be seen without the
	//    lock; it is only a hint there.
	// 3. The caller may want to know the time, which is when pp became idle.
	panic(gmp.TODO("Pidleput"))
}

// Pidleget takes a P off the list of idle ones. s.Lock is held.
func (p *procs) Pidleget(now int64) (*gmp.P, int64) {
	// 1. The first one, if there is one.
	// 2. Off the list with it, and out of the count. From here on it is the
	//    caller's, although it still says that it is idle.
	// 3. The time, as in Pidleput.
	panic(gmp.TODO("Pidleget"))
}
