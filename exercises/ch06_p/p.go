// This file is yours: what you write in it is kept. The task is in README.md
// beside it, and this command checks your code:
//
//	go run ./autograder test ch06

// Package ch06 is the P: chapter 6, Go 1.1.
//
// A P is the right to run Go code, and what belongs to that: a run queue, and dead
// Gs and sudogs for reuse. There are GOMAXPROCS of them. Only the M that holds a P
// touches what is in it, so that needs no lock; and an M that sleeps holds no P, so
// there is only as much of it all as can be used.
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
//
// Procs are the Ps. A P is in one of four places: an M holds it (Prunning), it is on
// the list of idle Ps, s.Pidle (Pidle, without work), it is in the hands of an M
// that is about to hand it over (Pidle), or it is dead (Pdead). An M that sleeps has
// none, but may have one that it is to take, Nextp.
type procs struct {
	s *gmp.Sched
}

// NewProcs makes the Procs of s.
func NewProcs(s *gmp.Sched) gmp.Procs { return &procs{s: s} }

// Acquirep gives mp, which has no P, the idle pp, by Wirep. The caller has taken pp
// off the list, or was given it. The runtime's acquirep.
func (p *procs) Acquirep(mp *gmp.M, pp *gmp.P) {
	// Holds: mp and pp have each other, and no other.
	panic(gmp.TODO("Acquirep"))
}

// Wirep links mp and pp, both ways, and pp becomes Prunning. Throws "wirep:
// already in go" if mp has a P, "wirep: invalid p state" if pp has an M or is not
// Pidle. The runtime's wirep, the first step of acquirep.
func (p *procs) Wirep(mp *gmp.M, pp *gmp.P) {
	// Holds: An M has at most one P, and a P at most one M; if it throws,
	//        nothing has changed.
	panic(gmp.TODO("Wirep"))
}

// Releasep takes mp's P away and returns it: Pidle, without an M, and on no
// list. Throws "releasep: invalid arg" if mp has none, "releasep: invalid p
// state" if that P is not Prunning or belongs to another M. The runtime's
// releasep.
func (p *procs) Releasep(mp *gmp.M) *gmp.P {
	// Holds: mp and pp know nothing of each other; which M gets pp next is for
	//        the caller to say.
	panic(gmp.TODO("Releasep"))
}

// Pidleput puts pp, which is Pidle and belongs to the caller, first on the list of
// idle Ps, counted in s.Npidle; if pp has work it throws "pidleput: P has non-empty
// run queue", and puts it nowhere. It returns now, or the time if now is 0. s.Lock is
// held; once it is released, pp may belong to another M. The runtime's pidleput.
func (p *procs) Pidleput(pp *gmp.P, now int64) int64 {
	// Holds: The next M to hold the lock can take pp, and nothing on pp waits
	//        to be run.
	panic(gmp.TODO("Pidleput"))
}

// Pidleget takes the first P off the list of idle Ps, nil if there is none, and
// returns now, or the time if now is 0 and there was one. s.Lock is held. The
// runtime's pidleget.
func (p *procs) Pidleget(now int64) (*gmp.P, int64) {
	// Holds: No other M finds the P that is returned.
	// Question: Between your look at the list and the moment when no other M
	//           can find the P: what must not happen?
	panic(gmp.TODO("Pidleget"))
}
